import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FakeClock } from '#test/fake-clock.ts';
import { DAY_MS, live } from '#test/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { checkAutomaticOrders } from '../features/invariants/automatic-orders.ts';
import { checkDueDates } from '../features/invariants/due-dates.ts';
import { openEmbedded } from './embedded.ts';
import { createMigrator, migrate } from './migrate.ts';

/** The version before plan changes, pauses, slots and money back went by whole days. */
const BEFORE = '0018-sync-log-index';
const BEGUN = '2026-11-10T12:00:00Z';
const NOW = '2026-11-22T12:00:00Z';

let deps: TestDeps;
const customers = new Map<number, string>();
beforeAll(async () => {
  const database = { ...(await openEmbedded({ image: undefined })), url: undefined };
  const { error } = await createMigrator(database).migrateTo(BEFORE);
  if (error !== undefined) throw error;
  const clock = new FakeClock();
  clock.set(NOW);
  deps = await createTestDeps({ database, clock });
});
afterAll(() => deps.database.close());

const run = (statement: string) => sql.raw(statement).execute(deps.database.db);
const idOf = (n: number): string => `00000000-0000-7000-8000-00000000000${n}`;

/** What the gateway calls a customer, their card and its charge of $17.00. */
async function newPayer(n: number) {
  const email = `${n}@example.test`;
  const made = await deps.gateway.createCustomer({ key: `c${n}`, email, workspaceId: idOf(n) });
  if (made.kind !== 'done') throw new Error('the gateway answers');
  const { customerId } = made;
  customers.set(n, customerId);
  const line = {
    line1: 'A street',
    line2: '',
    city: 'Berlin',
    state: '',
    zip: '10115',
    country: 'DE',
  };
  const saved = await deps.gateway.saveCard({
    key: `m${n}`,
    customerId,
    card: {
      number: '4242424242424242',
      month: 1,
      year: 2034,
      cvv: '739',
      name: 'Ada',
      address: line,
      phone: '',
    },
  });
  if (saved.kind !== 'done') throw new Error('the gateway saves the card');
  const { paymentMethodId } = saved;
  const charged = await deps.gateway.charge({
    key: `k${n}`,
    chargeId: idOf(n),
    customerId,
    paymentMethodId,
    amountCents: 1700,
    description: 'Plan',
  });
  if (charged.kind !== 'done') throw new Error('the gateway charges');
  return { customerId, paymentMethodId, gatewayChargeId: charged.gatewayChargeId };
}

/** A customer whose plan 2 was charged once, with what its subscription differs by. */
async function plant(n: number, subscription: Record<string, string | number> = {}): Promise<void> {
  const id = `'${idOf(n)}'`;
  const { customerId, paymentMethodId, gatewayChargeId } = await newPayer(n);
  await run(`insert into workspace (id, created_at) values (${id}, '${BEGUN}')`);
  await run(`insert into app_user (workspace_id, id, name, email, phone, password_hash, package, time_zone,
    created_at) values (${id}, ${id}, 'Ada', '${n}@example.test', '', 'none', 2, 'UTC', '${BEGUN}')`);
  await run(`insert into gateway_customer values (${id}, '${customerId}')`);
  await run(`insert into account (workspace_id, id, ig_username, ig_id, automatic_likes, speed, created_at)
    values (${id}, ${id}, 'name.${n}', '${n}', true, 'Instant', '${BEGUN}')`);
  await run(`insert into card (workspace_id, id, payment_method_id, brand, last_digits, holder_name,
    exp_month, exp_year, created_at, in_use_since) values (${id}, ${id}, '${paymentMethodId}', 'visa', '242', 'Ada',
    1, 2034, '${BEGUN}', '${BEGUN}')`);
  const row = {
    package: 2,
    state: 'Active',
    anchor_at: BEGUN,
    next_billing_at: '2026-12-10T12:00:00Z',
    next_action_at: '2026-12-07T12:00:00Z',
    period_started_at: BEGUN,
    ...subscription,
  };
  await run(`insert into subscription (workspace_id, id, account_id, ig_id, time_zone, card_id,
      baseline_read_at, baseline_post_ids, created_at, ${Object.keys(row).join(', ')})
    values (${id}, ${id}, ${id}, '${n}', 'UTC', ${id}, '${BEGUN}', '{}', '${BEGUN}',
      ${Object.values(row)
        .map((value) => `'${value}'`)
        .join(', ')})`);
  await run(`insert into network_subscription values ('${n}', ${id}, ${id})`);
  await run(`insert into invoice (workspace_id, id, subscription_id, period, amount_cents, description,
    checkout, created_at, paid_at) values (${id}, ${id}, ${id}, 0, 1700, 'Plan', '{}', '${BEGUN}', '${BEGUN}')`);
  await run(`insert into charge (workspace_id, id, invoice_id, card_id, gateway_key, gateway_charge_id,
    amount_cents, state, created_at, settled_at) values (${id}, ${id}, ${id}, ${id}, 'key', '${gatewayChargeId}', 1700, 'succeeded', '${BEGUN}', '${BEGUN}')`);
}

/** A post of 20 November with an automatic order. */
async function plantOrder(n: number, slot: number): Promise<void> {
  const id = `'${idOf(n)}'`;
  const at = `'2026-11-20T1${slot}:00:00Z'`;
  await run(`insert into post (workspace_id, account_id, id, shortcode, media_type, caption, permalink,
      taken_at, comment_count, detected_at, automatic_outcome)
    values (${id}, ${id}, '${slot}', 'C${slot}', 'IMAGE', '', '', ${at}, 0, ${at}, 'ordered')`);
  await run(`insert into like_order (workspace_id, id, kind, account_id, post_id, ig_id, shortcode,
      subscription_id, local_day, slot, state, speed, ordered, bonus, views, delivered, remains,
      posted_at, detected_at, start_at, finish_by, finished_at)
    values (${id}, '${idOf(slot)}', 'automatic', ${id}, '${slot}', '${n}', 'C${slot}', ${id}, '2026-11-20',
      ${slot}, 'Completed', 'Instant', 100, 0, 0, 100, 0, ${at}, ${at}, ${at}, ${at}, ${at})`);
}

const stateOf = async (n: number) =>
  deps.database.db
    .selectFrom('subscription')
    .selectAll()
    .where('id', '=', idOf(n))
    .executeTakeFirstOrThrow();

test('subscriptions of the version before open and go on by the rules of now', async () => {
  // Paused for seven days; two more were given by a pause that is over.
  await plant(1, {
    state: 'Paused',
    paused_at: '2026-11-20T12:00:00Z',
    resumes_at: '2026-11-27T12:00:00Z',
    planned_pause_days: 7,
    shift_days: 9,
    next_billing_at: '2026-12-19T12:00:00Z',
    next_action_at: '2026-11-27T12:00:00Z',
  });
  await plant(2, {
    state: 'Past due',
    anchor_at: '2026-10-22T00:00:00Z',
    period_started_at: '2026-10-22T00:00:00Z',
    next_billing_at: '2026-11-22T00:00:00Z',
    past_due_since: '2026-11-22T00:00:00Z',
    retry_at: '2026-11-23T00:00:00Z',
    next_action_at: '2026-11-23T00:00:00Z',
  });
  await plant(3, { ends_at: '2026-12-10T12:00:00Z', next_action_at: '2026-12-10T12:00:00Z' });
  await plant(4);
  for (const slot of [1, 2, 3, 4]) await plantOrder(4, slot);
  const [fourth, fifth] = [`'${idOf(4)}'`, `'${idOf(5)}'`];
  await run(`insert into plan_quote (workspace_id, id, subscription_id, package, era, period, state,
    unused_cents, balance_cents, total_cents, expires_at) values (${fourth}, ${fourth}, ${fourth}, 4, 0,
    0, 'Active', 1, 0, 3101, '2026-11-22T12:10:00Z')`);
  await plant(5, { state: 'Canceled', ends_at: '2026-11-21T12:00:00Z' });
  await run(`delete from network_subscription where ig_id = '5'`);
  await run(`insert into money_back (workspace_id, subscription_id, state, amount_cents, requested_at,
    approve_by) values (${fifth}, ${fifth}, 'Requested', 1700, '2026-11-21T12:00:00Z', '2026-11-24T12:00:00Z')`);

  await migrate(deps.database);

  const since = new Date(BEGUN);
  const healthy = async () => [
    ...(await checkDueDates(deps.database.db)),
    ...(await checkAutomaticOrders(deps.database.db, { since, until: new Date(deps.clock.now()) })),
  ];
  expect(await healthy()).toEqual([]);
  // The pause ends with its seventh day.
  expect(await stateOf(1)).toMatchObject({
    shift_days: 9,
    unlisted_shift_days: 2,
    resumes_at: new Date('2026-11-28T00:00:00Z'),
    next_action_at: new Date('2026-11-28T00:00:00Z'),
  });
  expect(await deps.database.db.selectFrom('plan_quote').select('id').execute()).toEqual([]);

  await live(deps, 8 * DAY_MS);
  expect(await healthy()).toEqual([]);
  expect(await stateOf(1)).toMatchObject({
    state: 'Active',
    pauses_at: null,
    next_billing_at: new Date('2026-12-19T12:00:00Z'),
  });
  expect(await stateOf(2)).toMatchObject({ state: 'Active', period: 1 });
  await live(deps, 30 * DAY_MS);
  expect(await healthy()).toEqual([]);
  expect(await stateOf(3)).toMatchObject({ state: 'Canceled' });
  expect(await stateOf(4)).toMatchObject({ state: 'Active', period: 1 });
  const { charges } = deps.gateway;
  const chargedBy = (n: number) =>
    charges.filter(({ request }) => request.customerId === customers.get(n)).length;
  expect([1, 2, 3, 4, 5].map(chargedBy)).toEqual([2, 3, 1, 2, 1]);
  expect(charges.map(({ refundedCents }) => refundedCents).filter(Boolean)).toEqual([1700]);
});
