import { expect, test } from 'vitest';
import { BULK_LIMITS } from '#shared/domain/bulk.ts';
import type { CardGateway } from '#server/adapters/stripe/card-gateway.ts';
import { settleDueCharges } from '#server/money/charges/charge-janitor.job.ts';
import { compareBooks } from '#test/billing-books.ts';
import { dyingDeps, Lifetime } from '#test/dying-process.ts';
import { plantLargeWorkspace } from '#test/planted-workspace.ts';
import { seededRandom } from '#test/seeded.ts';
import { newSubscriber } from '#test/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { runBulk } from './bulk.job.ts';
import { startBulk, viewBulk, viewUnmade } from './bulk.service.ts';
import { planBulk } from './plan-bulk.service.ts';

/** `BULK_PLANS=1000` for as many as one operation may have. */
const ACCOUNTS = Number(process.env['BULK_PLANS'] ?? 200);
const LEASE_MS = 241_000;

/** Every tenth charge fails: refused by the gateway, not answered, or done and not answered. */
function failing(gateway: TestDeps['gateway']): TestDeps['gateway'] {
  let asked = 0;
  const charge: CardGateway['charge'] = async (request) => {
    asked += 1;
    if (asked % 10 !== 0) return gateway.charge(request);
    if (asked % 30 === 0) return { kind: 'rejected', reason: 'planted' };
    if (asked % 20 === 0) await gateway.charge(request);
    return { kind: 'unknown', reason: 'planted' };
  };
  return { ...gateway, charge };
}

test(`${ACCOUNTS} plans are changed once each or listed, with a tenth of the charges failing and workers dying`, async () => {
  const deps = await createTestDeps();
  const { session } = await newSubscriber(deps, 'agency');
  const { db } = deps.database;
  const size = { accounts: ACCOUNTS - 1, posts: 0, minutesApart: 1, postsPerOrder: 1 };
  await plantLargeWorkspace(deps.database, session.workspaceId, size, deps.clock.now());
  const names = await db.selectFrom('account').select('ig_username').orderBy('id').execute();
  const operationId = deps.ids.uuid();
  let shown = { planned: 0, today: 0 };
  for (let from = 0; from < names.length; from += BULK_LIMITS.page) {
    const changes = names.slice(from, from + BULK_LIMITS.page).map(({ ig_username }) => ({
      igUsername: ig_username,
      change: { kind: 'plan', packageIndex: 9 } as const,
    }));
    shown = await planBulk(deps, session, { operationId, from, changes });
  }
  expect(shown.planned).toBe(ACCOUNTS);
  await startBulk(deps, session, { operationId, ...shown, today: shown.today / 100 });

  const random = seededRandom(16);
  const gateway = failing(deps.gateway);
  let deaths = 0;
  const isDone = async (): Promise<boolean> => (await viewBulk(deps, session))[0]?.state === 'done';
  while (!(await isDone())) {
    const lifetime = new Lifetime(ACCOUNTS / 5 + Math.floor(random() * ACCOUNTS * 2));
    const worker = dyingDeps({ ...deps, gateway }, lifetime);
    while (!lifetime.isDead() && (await runBulk(worker).catch(() => 'idle')) === 'again') continue;
    if (lifetime.isDead()) deaths += 1;
    deps.clock.advance(LEASE_MS);
    while ((await settleDueCharges(deps)) === 'again') continue;
  }

  expect(deaths).toBeGreaterThan(3);
  const [operation] = await viewBulk(deps, session);
  const listed = new Set<string>();
  for (let after = -1; ;) {
    const page = await viewUnmade(deps, session, { operationId, after });
    for (const { igUsername, reason } of page) {
      expect(reason).toBe(
        'Payments aren’t working right now. You were not charged. Please try again in a few minutes.',
      );
      listed.add(igUsername);
    }
    const last = page.at(-1);
    if (!last) break;
    after = last.position;
  }
  expect(listed.size).toBeGreaterThan(ACCOUNTS / 50);
  expect(operation).toMatchObject({ done: ACCOUNTS - listed.size, failed: listed.size });
  const plans = await db
    .selectFrom('account')
    .innerJoin('subscription', 'subscription.account_id', 'account.id')
    .leftJoin('invoice', (join) =>
      join
        .onRef('invoice.subscription_id', '=', 'subscription.id')
        .on('invoice.description', 'like', 'Plan change%'),
    )
    .leftJoin('charge', (join) =>
      join.onRef('charge.invoice_id', '=', 'invoice.id').on('charge.state', '=', 'succeeded'),
    )
    .groupBy(['account.ig_username', 'subscription.package'])
    .select(({ fn }) => [
      'account.ig_username as name',
      'subscription.package as plan',
      fn.count<number>('charge.id').as('payments'),
    ])
    .execute();
  expect(plans).toHaveLength(ACCOUNTS);
  const wrong = plans.filter(
    ({ name, plan, payments }) =>
      (plan === 9) === listed.has(name) || String(payments) !== (listed.has(name) ? '0' : '1'),
  );
  expect(wrong).toEqual([]);
  expect((await compareBooks(deps)).violations).toEqual([]);
  const { paid } = await db
    .selectFrom('charge')
    .innerJoin('invoice', 'invoice.id', 'charge.invoice_id')
    .where('charge.state', '=', 'succeeded')
    .where('invoice.description', 'like', 'Plan change%')
    .select(({ fn }) => fn.sum<number>('charge.amount_cents').as('paid'))
    .executeTakeFirstOrThrow();
  expect(String(paid)).toBe(String(Math.round((operation?.today ?? 0) * 100)));
  await deps.database.close();
});
