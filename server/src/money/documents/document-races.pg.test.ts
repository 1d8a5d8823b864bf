import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgres } from '#server/kit/db/postgres.ts';
import { checkDocuments } from '#server/ops/invariants/documents.ts';
import { createNode, newShopper, wordOf } from '#test/checkout-fixture.ts';
import { newSubscriber } from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { planRefunds } from '../charges/refund.repository.ts';
import { sendDueRefunds } from '../refunds/send-refunds.service.ts';
import { issueDocuments } from './issue-documents.service.ts';

const ACME = { name: 'Acme Inc.', address: '1 Main Street', taxId: undefined };
const SHOPPERS = 24;
let deps: TestDeps;
const closing: Array<() => Promise<void>> = [];
beforeAll(async () => {
  deps = await createTestDeps({ settings: { operatorIdentity: ACME, isLiveGateway: true } });
});
afterAll(async () => {
  await Promise.all(closing.map((close) => close()));
  await deps.database.close();
});

/** A node with connections of its own. */
function nodeDeps(): TestDeps {
  const database = openPostgres(deps.database.url ?? '', { onError: () => undefined });
  closing.push(() => database.close());
  return { ...deps, database: { ...deps.database, ...database } };
}

const problems = () => checkDocuments(deps.database.db);

const numbers = async (): Promise<number[]> => {
  const rows = await deps.database.db
    .selectFrom('billing_document')
    .select('number')
    .where('series', '=', 'INV')
    .orderBy('number')
    .execute();
  return rows.map(({ number }) => number);
};

const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

test('settles at once on three nodes, some of which fail at the last step, are numbered without a gap', async () => {
  const nodes = [nodeDeps(), nodeDeps(), nodeDeps()];
  const shoppers = await Promise.all(
    Array.from({ length: SHOPPERS }, (_, nr) => newShopper(deps, `at.once${nr}`)),
  );
  let begun = 0;
  const told = await Promise.allSettled(
    shoppers.map((shopper, nr) => {
      const node = nodes[nr % nodes.length] ?? deps;
      // Every fifth dies between taking its number and the commit.
      const uuid = (): string => {
        const isInvoice = new Error('who asks').stack?.includes('issueDocuments') === true;
        begun += isInvoice ? 1 : 0;
        if (isInvoice && nr % 5 === 0) throw new Error('dies');
        return deps.ids.uuid();
      };
      return createNode({ ...node, ids: { uuid } })(shopper, `key${nr}`);
    }),
  );
  const paid = told.filter((each) => each.status === 'fulfilled' && wordOf(each.value) === 'paid');
  expect(begun).toBe(SHOPPERS);
  expect(paid).toHaveLength(SHOPPERS - Math.ceil(SHOPPERS / 5));
  expect(await numbers()).toEqual(upTo(paid.length));
  const { rows } = await lastNumber();
  expect(rows).toEqual([{ last: paid.length }]);
  const unpaid = (await problems()).filter(({ problem }) => !problem.includes('no invoice'));
  expect(unpaid).toEqual([]);
});

const lastNumber = async () => ({
  rows: await deps.database.db
    .selectFrom('invoice_series')
    .select('last_number as last')
    .where('series', '=', 'INV')
    .execute(),
});

test('refunds of one payment that two nodes close at once are credited once', async () => {
  const shopper = await newSubscriber(deps, 'closed.twice');
  const { workspaceId } = shopper.session;
  const { id: chargeId } = await deps.database.db
    .selectFrom('charge')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const now = new Date(deps.clock.now());
  await deps.database.transaction(async (tx) => {
    for (const cents of [100, 200, 300, 400]) {
      const refund = { reason: 'returned', cents, now, dueAt: now } as const;
      await planRefunds(tx, deps, [{ workspaceId, chargeId, leftCents: cents }], refund);
    }
  });
  const nodes = [nodeDeps(), nodeDeps()];
  await Promise.all([
    ...nodes.map((node) => sendDueRefunds(node)),
    // Whoever looks in between finds nothing that isn't being issued.
    ...nodes.map(({ database }) =>
      database.transaction((tx) =>
        issueDocuments(tx, deps, { workspaceId, chargeId }, { reason: 'refund', now }),
      ),
    ),
  ]);
  const credited = await deps.database.db
    .selectFrom('billing_document')
    .select('amount_cents')
    .where('charge_id', '=', chargeId)
    .where('kind', '=', 'credit_note')
    .execute();
  expect(credited.reduce((sum, row) => sum + row.amount_cents, 0)).toBe(1000);
  const all = await numbers();
  expect(all).toEqual(upTo(all.length));
  expect((await problems()).filter(({ subject }) => subject.includes(chargeId))).toEqual([]);
});

test('the first documents of two new legal entities, at once from many nodes, begin two series', async () => {
  const entities = ['Bolt AG', 'Cord SA'].flatMap((name) => [1, 2, 3].map((nr) => ({ name, nr })));
  const shoppers = await Promise.all(
    entities.map(({ name, nr }) => newShopper(deps, `${name.slice(0, 4).toLowerCase()}${nr}`)),
  );
  const told = await Promise.all(
    entities.map(async ({ name }, index) => {
      const node = nodeDeps();
      const operatorIdentity = { name, address: 'x', taxId: undefined };
      const settings = { ...deps.settings, operatorIdentity };
      const shopper = shoppers[index];
      return shopper && createNode({ ...node, settings })(shopper, `first-${index}`);
    }),
  );
  expect(told.map((each) => each && wordOf(each))).toEqual(entities.map(() => 'paid'));
  const rows = await deps.database.db
    .selectFrom('invoice_series')
    .select(['series', 'last_number as last'])
    .where('series', 'not in', ['INV', 'TEST'])
    .orderBy('series')
    .execute();
  expect(rows).toEqual([
    { series: 'INV2', last: 3 },
    { series: 'INV3', last: 3 },
  ]);
  expect((await problems()).filter(({ subject }) => subject.startsWith('series'))).toEqual([]);
});
