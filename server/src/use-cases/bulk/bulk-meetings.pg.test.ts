import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AskedChange } from '#shared/contract/accounts/bulk.ts';
import type { Tx } from '#server/kit/db/database.ts';
import { changeSubscription } from '#server/money/subscriptions/subscription-work.repository.ts';
import { tagAccounts } from '#server/network/accounts/tag-accounts.service.ts';
import type { Shopper } from '#test/checkout-fixture.ts';
import { newSubscriber, subscriptionOf } from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { runBulk } from './bulk.job.ts';
import { beginOperation, lockOperation } from './bulk.repository.ts';
import { startBulk, undoBulk, viewBulk, viewUnmade } from './bulk.service.ts';
import { planBulk } from './plan-bulk.service.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

/** Plans a change of somebody's account. */
async function plan({ session, igUsername }: Shopper, change: AskedChange) {
  const operationId = deps.ids.uuid();
  const page = { operationId, from: 0, changes: [{ igUsername, change }] };
  const { planned, today } = await planBulk(deps, session, page);
  return { operationId, planned, today: today / 100 };
}

/** Something begins that has to wait for what a transaction holds, which is committed then. */
async function meet<T>(hold: (tx: Tx) => Promise<unknown>, begin: () => Promise<T>): Promise<T> {
  const [held, waited] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = deps.database.transaction(async (tx) => {
    await hold(tx);
    held.resolve();
    await waited.promise;
  });
  await Promise.race([held.promise, holding]);
  // Begun out here: inside, it would count as part of the open transaction.
  const waiting = begin();
  await expect.poll(isWaiting).toBe(true);
  waited.resolve();
  const [told] = await Promise.all([waiting, holding]);
  return told;
}

async function isWaiting(): Promise<boolean> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(deps.database.db);
  return rows.length > 0;
}

test('a plan that somebody changes while a change of many is at its door stays as they left it', async () => {
  const ada = await newSubscriber(deps, 'ada');
  const shown = await plan(ada, { kind: 'cancel' });
  await startBulk(deps, ada.session, shown);
  const row = await subscriptionOf(deps, ada);
  await meet(
    (tx) => changeSubscription(tx, row, { next_package: 1 }),
    () => runBulk(deps),
  );
  expect(await subscriptionOf(deps, ada)).toMatchObject({ next_package: 1, ends_at: null });
  expect((await viewUnmade(deps, ada.session, shown))[0]?.reason).toBe(
    'The plan of @ada changed after you checked these changes, so it was left as it is now.',
  );
});

test('tags that somebody adds meanwhile stay when the change of many is undone', async () => {
  const bea = await newSubscriber(deps, 'bea');
  const { workspaceId } = bea.session;
  const tagged = (db: Tx) =>
    db
      .selectFrom('account')
      .select(['id', 'tags'])
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirstOrThrow();
  const shown = await plan(bea, { kind: 'tags', add: ['ours'], remove: [] });
  await startBulk(deps, bea.session, shown);
  await meet(
    async (tx) => {
      const accountIds = [(await tagged(tx)).id];
      const theirs = { actor: 'somebody', add: ['theirs'], remove: [] };
      await tagAccounts(tx, { workspaceId, accountIds, ...theirs, now: new Date() });
    },
    () => runBulk(deps),
  );
  await undoBulk(deps, bea.session, shown.operationId);
  await runBulk(deps);
  expect((await viewBulk(deps, bea.session))[0]).toMatchObject({ isUndo: true, done: 1 });
  expect((await deps.database.transaction(tagged)).tags).toEqual(['theirs']);
});

test('once changes begin, nobody plans others into them', async () => {
  const cal = await newSubscriber(deps, 'cal');
  const shown = await plan(cal, { kind: 'cancel' });
  const { operationId } = shown;
  const key = { workspaceId: cal.session.workspaceId, operationId };
  const change: AskedChange = { kind: 'tags', add: ['late'], remove: [] };
  const page = { operationId, from: 1, changes: [{ igUsername: 'cal', change }] };
  const told = meet(
    async (tx) => {
      await lockOperation(tx, key);
      await beginOperation(
        tx,
        { ...key, sessionId: cal.session.sessionId },
        new Date(deps.clock.now()),
      );
    },
    () => planBulk(deps, cal.session, page),
  );
  await expect(told).rejects.toMatchObject({ code: 'not_found' });
  await runBulk(deps);
  expect((await viewBulk(deps, cal.session))[0]).toMatchObject({ state: 'done', done: 1 });
});
