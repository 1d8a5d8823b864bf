import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { dueAt } from '#shared/domain/money/billing-period.ts';
import { DAY_MS, HOUR_MS } from '#shared/domain/durations.ts';
import {
  endAll,
  gatewayBook,
  live,
  mailsOf,
  nameOf,
  newSubscriber,
  runDue,
  subscriptionOf,
} from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { cancelSubscription } from '../cancellation/cancellation.service.ts';
import { settleDueCharges } from '../payments/charge-janitor.job.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterEach(() => endAll(deps));
afterAll(() => deps.database.close());

const declined = { kind: 'declined', code: 'insufficient_funds' } as const;
const MONTH_MS = 32 * DAY_MS;

/** Declines the next charges, whoever is charged. */
const declineNext = (count: number): void =>
  deps.gateway.queueFailure(...Array.from({ length: count }, () => declined));

// Shows fact 2.81.
test('a plan renews each month on the day of its anchor, once, with a reminder and a receipt', async () => {
  deps.clock.set('2027-01-31T10:00:00Z');
  const shopper = await newSubscriber(deps, 'monthly');
  const { anchor_at: anchor } = await subscriptionOf(deps, shopper);
  await live(deps, 125 * DAY_MS);
  const row = await subscriptionOf(deps, shopper);
  const clock = { anchorMs: anchor.getTime(), timeZone: 'UTC', shiftDays: 0 };
  expect(row).toMatchObject({ state: 'Active', period: 4 });
  expect(row.period_started_at).toEqual(new Date('2027-05-31T10:00:00Z'));
  expect(row.next_billing_at).toEqual(new Date(dueAt(clock, 5)));
  expect(await gatewayBook(deps, shopper)).toEqual({
    chargedCents: [1700, 1700, 1700, 1700, 1700],
    refundedCents: 0,
  });
  const renewal = ['renewal_reminder', 'receipt'];
  expect(await mailsOf(deps, shopper)).toEqual([
    'receipt',
    ...renewal,
    ...renewal,
    ...renewal,
    ...renewal,
  ]);
});

test('after months of downtime one period is charged, never a burst', async () => {
  const shopper = await newSubscriber(deps, 'downtime');
  deps.clock.advance(100 * DAY_MS);
  await runDue(deps);
  await runDue(deps);
  const row = await subscriptionOf(deps, shopper);
  expect(row).toMatchObject({ state: 'Active', period: 3 });
  expect(row.next_billing_at.getTime()).toBeGreaterThan(deps.clock.now());
  expect((await gatewayBook(deps, shopper)).chargedCents).toEqual([1700, 1700]);
});

test('a declined renewal is tried after 1, 3 and 5 days, still delivering, and then expires', async () => {
  const shopper = await newSubscriber(deps, 'poor');
  const due = (await subscriptionOf(deps, shopper)).next_billing_at.getTime();
  deps.clock.advance(due - deps.clock.now());
  declineNext(4);
  const states: string[] = [];
  for (let day = 0; day < 7; day += 1) {
    await runDue(deps);
    const calls = deps.gateway.calls.filter(({ call }) => call === 'charge').length;
    states.push(`${(await subscriptionOf(deps, shopper)).state} ${calls}`);
    deps.clock.advance(DAY_MS);
  }
  const first = Number(states[0]?.split(' ').at(-1));
  expect(states).toEqual([
    `Past due ${first}`,
    `Past due ${first + 1}`,
    `Past due ${first + 1}`,
    `Past due ${first + 2}`,
    `Past due ${first + 2}`,
    `Expired ${first + 3}`,
    `Expired ${first + 3}`,
  ]);
  const reservations = await deps.database.db
    .selectFrom('network_subscription')
    .selectAll()
    .where('workspace_id', '=', shopper.session.workspaceId)
    .execute();
  expect(reservations).toEqual([]);
  const watch = await deps.database.db
    .selectFrom('poll_schedule')
    .select('is_active')
    .where('workspace_id', '=', shopper.session.workspaceId)
    .execute();
  expect(watch).toEqual([{ is_active: false }]);
  expect(await mailsOf(deps, shopper)).toEqual([
    'receipt',
    ...Array.from({ length: 4 }, () => 'payment_declined'),
  ]);
  expect((await gatewayBook(deps, shopper)).chargedCents).toEqual([1700]);
});

test('a payment that goes through on a later try keeps the due dates', async () => {
  const shopper = await newSubscriber(deps, 'late');
  const { next_billing_at: due, ...before } = await subscriptionOf(deps, shopper);
  deps.clock.advance(due.getTime() - deps.clock.now());
  declineNext(2);
  await live(deps, 4 * DAY_MS, DAY_MS / 2);
  const row = await subscriptionOf(deps, shopper);
  expect(row).toMatchObject({ state: 'Active', period: before.period + 1 });
  expect(row.period_started_at).toEqual(due);
  expect((await gatewayBook(deps, shopper)).chargedCents).toEqual([1700, 1700]);
});

test('a lost answer of a renewal charges once and settles by itself', async () => {
  const shopper = await newSubscriber(deps, 'lost_renewal');
  const due = (await subscriptionOf(deps, shopper)).next_billing_at.getTime();
  deps.clock.advance(due - deps.clock.now());
  deps.gateway.loseAnswers(1);
  await runDue(deps);
  expect(await subscriptionOf(deps, shopper)).toMatchObject({ state: 'Active', period: 0 });
  await live(deps, 60_000, 5000);
  expect(await subscriptionOf(deps, shopper)).toMatchObject({ state: 'Active', period: 1 });
  expect((await gatewayBook(deps, shopper)).chargedCents).toEqual([1700, 1700]);
});

test('a renewal that is being charged is left to who charges it', async () => {
  const shopper = await newSubscriber(deps, 'held');
  deps.clock.set((await subscriptionOf(deps, shopper)).next_billing_at.toISOString());
  const askedByOthers: number[] = [];
  const charge: TestDeps['gateway']['charge'] = async (request) => {
    const asked = deps.gateway.calls.length;
    await settleDueCharges(deps);
    askedByOthers.push(deps.gateway.calls.length - asked);
    return deps.gateway.charge(request);
  };
  await runDue({ ...deps, gateway: { ...deps.gateway, charge } });
  expect(askedByOthers).toEqual([0]);
  expect(await subscriptionOf(deps, shopper)).toMatchObject({ state: 'Active', period: 1 });
});

test('a request the gateway refuses is nobody’s decline: the plan stays active and is tried again', async () => {
  const shopper = await newSubscriber(deps, 'refused');
  const due = (await subscriptionOf(deps, shopper)).next_billing_at.getTime();
  deps.clock.advance(due - deps.clock.now());
  deps.gateway.queueFailure({ kind: 'rejected', reason: 'api_key_expired' });
  await runDue(deps);
  expect(await subscriptionOf(deps, shopper)).toMatchObject({ state: 'Active', period: 0 });
  await live(deps, HOUR_MS / 2, HOUR_MS / 2);
  expect(await subscriptionOf(deps, shopper)).toMatchObject({ state: 'Active', period: 0 });
  await live(deps, HOUR_MS / 2, HOUR_MS / 2);
  expect(await subscriptionOf(deps, shopper)).toMatchObject({ state: 'Active', period: 1 });
});

// Shows fact 1.20.
test('a canceled plan delivers to the end of its period and is not charged again', async () => {
  const shopper = await newSubscriber(deps, 'leaving');
  const { next_billing_at: due } = await subscriptionOf(deps, shopper);
  await live(deps, 10 * DAY_MS);
  expect(await cancelSubscription(deps, nameOf(shopper))).toEqual(due);
  expect(await subscriptionOf(deps, shopper)).toMatchObject({ state: 'Active', ends_at: due });
  await live(deps, MONTH_MS);
  expect(await subscriptionOf(deps, shopper)).toMatchObject({ state: 'Canceled', ends_at: due });
  expect((await gatewayBook(deps, shopper)).chargedCents).toEqual([1700]);
  expect(await mailsOf(deps, shopper)).toEqual([
    'receipt',
    'subscription_ending',
    'subscription_stopped',
  ]);
});

test('a charge that succeeds for a period after the cancel goes back by itself', async () => {
  const shopper = await newSubscriber(deps, 'too_late');
  const due = (await subscriptionOf(deps, shopper)).next_billing_at.getTime();
  deps.clock.advance(due - deps.clock.now());
  deps.gateway.loseAnswers(1);
  await runDue(deps);
  await cancelSubscription(deps, nameOf(shopper));
  expect(await subscriptionOf(deps, shopper)).toMatchObject({ state: 'Canceled' });
  await live(deps, 120_000, 5000);
  expect(await gatewayBook(deps, shopper)).toEqual({
    chargedCents: [1700, 1700],
    refundedCents: 1700,
  });
  expect(await subscriptionOf(deps, shopper)).toMatchObject({ state: 'Canceled', period: 0 });
});

test('a renewal that is declined while the plan is canceled leaves it canceled, and tells nobody', async () => {
  const shopper = await newSubscriber(deps, 'declined_late');
  deps.clock.set((await subscriptionOf(deps, shopper)).next_billing_at.toISOString());
  const charge = async () => {
    await cancelSubscription(deps, nameOf(shopper));
    return declined;
  };
  await runDue({ ...deps, gateway: { ...deps.gateway, charge } });
  expect(await subscriptionOf(deps, shopper)).toMatchObject({ state: 'Canceled', period: 0 });
  expect(await mailsOf(deps, shopper)).toEqual(['receipt', 'subscription_stopped']);
});
