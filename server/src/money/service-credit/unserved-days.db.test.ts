import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
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
import { servedTime } from '#test/delivery/served-time.ts';
import type { Shopper } from '#test/checkout-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { viewAccounts } from '#server/read-model/accounts.service.ts';
import { checkDueDates } from '#server/ops/invariants/due-dates.ts';
import { cancelSubscription, stopNow } from '../cancellation/cancellation.service.ts';
import { pauseSubscription, resume } from '../cancellation/pause.service.ts';
import { giveServiceCredit } from './service-credit.job.ts';
import {
  beat,
  readServiceClock,
  setClosedUntil,
} from '#server/network/detection/service-clock.repository.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
  deps.clock.set('2026-11-21T00:00:00Z');
  await tick();
});
afterEach(() => endAll(deps));
afterAll(() => deps.database.close());

const { tick, work, jumpTo, endOfDay, readAll, hide } = servedTime(() => deps);

const shiftOf = async (shopper: Shopper): Promise<number> =>
  (await subscriptionOf(deps, shopper)).shift_days;
const viewOf = async ({ session }: Shopper) =>
  (await viewAccounts(deps, session.workspaceId))[0]?.view;

// Shows fact 4.18.
test('a day on which the account could not be read moves the due date by one, once, and says why', async () => {
  const shopper = await newSubscriber(deps, 'hidden');
  const before = await subscriptionOf(deps, shopper);
  await endOfDay();
  await hide(shopper, 'unreadable');
  await work(13);
  await hide(shopper, null);
  await endOfDay();
  const after = await subscriptionOf(deps, shopper);
  expect(after.shift_days).toBe(1);
  expect(after.next_billing_at.getTime()).toBe(before.next_billing_at.getTime() + DAY_MS);
  expect(await checkDueDates(deps.database.db)).toEqual([]);
  expect(await viewOf(shopper)).toMatchObject({
    shiftDays: 1,
    shiftReason:
      '1 day of service credit: @hidden couldn’t be read for more than 12 hours on November 22.',
    nextBillingDate: after.next_billing_at.toISOString(),
  });
  await endOfDay();
  expect(await shiftOf(shopper)).toBe(1);
  expect(await mailsOf(deps, shopper)).toEqual(['receipt', 'fair_days']);
  const audited = await deps.database.db
    .selectFrom('audit_event')
    .select(['actor', 'subject'])
    .where('workspace_id', '=', shopper.session.workspaceId)
    .where('action', '=', 'fair_days_added')
    .execute();
  expect(audited).toEqual([{ actor: 'system', subject: after.id }]);
  await live(deps, 33 * DAY_MS);
  expect(await viewOf(shopper)).toMatchObject({ shiftDays: 0, shiftReason: null });
  expect((await subscriptionOf(deps, shopper)).period_started_at).toEqual(after.next_billing_at);
});

test('a round keeps how far it has judged, so that the next one goes on from there', async () => {
  await work(1);
  const { beat_at: beatAt, closed_until: closedUntil } =
    (await readServiceClock(deps.database.db)) ?? {};
  const SETTLED_AFTER_MS = 10 * 60_000;
  expect(closedUntil?.getTime()).toBe((beatAt?.getTime() ?? 0) - SETTLED_AFTER_MS);
  // A node that is late.
  await setClosedUntil(deps.database.db, new Date((closedUntil?.getTime() ?? 0) - DAY_MS));
  expect((await readServiceClock(deps.database.db))?.closed_until).toEqual(closedUntil);
});

test('half a day and a paused day give nothing back', async () => {
  await endOfDay();
  const [short, paused] = [
    await newSubscriber(deps, 'short'),
    await newSubscriber(deps, 'resting'),
  ];
  await endOfDay();
  await pauseSubscription(deps, nameOf(paused), new Date(deps.clock.now() + 10 * DAY_MS));
  const planned = await shiftOf(paused);
  await hide(short, 'unreadable');
  await work(10);
  await hide(short, null);
  await endOfDay();
  await runDue(deps);
  await hide(paused, 'unreadable');
  await endOfDay();
  await endOfDay();
  expect(await shiftOf(short)).toBe(0);
  expect(await shiftOf(paused)).toBe(planned);
  await hide(paused, null);
  await resume(deps, nameOf(paused));
  await endOfDay();
  // The two whole days of the pause, which gave them itself.
  expect(await shiftOf(paused)).toBe(2);
});

test('an outage of the whole service gives every running plan its days when it is over', async () => {
  const shopper = await newSubscriber(deps, 'dark');
  const ended = await newSubscriber(deps, 'ended');
  await endOfDay();
  await stopNow(deps, nameOf(ended));
  deps.clock.advance(3 * DAY_MS);
  // Nothing is judged by what runs before detection has given a sign of life.
  await giveServiceCredit(deps);
  expect(await shiftOf(shopper)).toBe(0);
  await tick();
  // Judged at the first reading after it.
  expect(await shiftOf(shopper)).toBe(0);
  await readAll();
  expect(await shiftOf(shopper)).toBe(3);
  expect(await shiftOf(ended)).toBe(0);
  expect((await viewOf(shopper))?.shiftReason).toMatch(/^3 days of service credit: our service/);
  const outages = await deps.database.db.selectFrom('service_outage').selectAll().execute();
  expect(outages).toHaveLength(1);
});

test('rounds at the same time and rounds again add a day once', async () => {
  const shopper = await newSubscriber(deps, 'twice');
  await endOfDay();
  await hide(shopper, 'unreadable');
  await work(23);
  deps.clock.advance(2 * HOUR_MS);
  await beat(deps.database, new Date(deps.clock.now() - 1000));
  await Promise.all([giveServiceCredit(deps), giveServiceCredit(deps), giveServiceCredit(deps)]);
  await Promise.all([readAll(), readAll(), readAll()]);
  expect(await shiftOf(shopper)).toBe(1);
  // As after a crash before the judged time was written down.
  await deps.database.db
    .updateTable('service_clock')
    .set({ closed_until: new Date(deps.clock.now() - 3 * DAY_MS) })
    .execute();
  await tick();
  await readAll();
  expect(await shiftOf(shopper)).toBe(1);
  await hide(shopper, null);
});

test('what no day can ask for any more, 90 days later, is deleted', async () => {
  const shopper = await newSubscriber(deps, 'long_ago');
  await hide(shopper, 'unreadable');
  deps.clock.advance(HOUR_MS);
  await hide(shopper, null);
  const endedAt = new Date(deps.clock.now());
  const kept = async () => {
    const { db } = deps.database;
    const of = (table: 'subscription_interval' | 'service_outage') =>
      db.selectFrom(table).select('since').where('until', '=', endedAt).execute();
    return [await of('subscription_interval'), await of('service_outage')].map(
      (rows) => rows.length,
    );
  };
  await jumpTo(new Date(endedAt.getTime() + 90 * DAY_MS));
  await tick();
  expect(await kept()).toEqual([1, 1]);
  deps.clock.advance(1);
  await tick();
  expect(await kept()).toEqual([0, 0]);
});

test('a plan that stops at its period’s end stops a day later', async () => {
  const shopper = await newSubscriber(deps, 'stopping');
  const endsAt = await cancelSubscription(deps, nameOf(shopper));
  await endOfDay();
  await hide(shopper, 'unreadable');
  await endOfDay();
  await hide(shopper, null);
  const after = await subscriptionOf(deps, shopper);
  expect(after.ends_at?.getTime()).toBe(endsAt.getTime() + DAY_MS);
  expect(after.next_action_at).toEqual(after.ends_at);
});

test('while a payment is owed the day waits, and is added when it has been made', async () => {
  const shopper = await newSubscriber(deps, 'owing');
  const { next_billing_at: due } = await subscriptionOf(deps, shopper);
  await jumpTo(due);
  expect(due.getTime() % DAY_MS).toBeLessThan(6 * HOUR_MS);
  deps.gateway.queueFailure({ kind: 'declined', code: 'insufficient_funds' });
  await runDue(deps);
  await hide(shopper, 'unreadable');
  await endOfDay();
  await hide(shopper, null);
  expect(await subscriptionOf(deps, shopper)).toMatchObject({ state: 'Past due', shift_days: 0 });
  await runDue(deps);
  await tick();
  await readAll();
  expect(await subscriptionOf(deps, shopper)).toMatchObject({
    state: 'Active',
    period: 1,
    shift_days: 1,
  });
  expect(await checkDueDates(deps.database.db)).toEqual([]);
  expect((await gatewayBook(deps, shopper)).chargedCents).toEqual([1700, 1700]);
});
