import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { dayOf } from '#shared/domain/money/day-use.ts';
import { DAY_MS, HOUR_MS } from '#shared/domain/durations.ts';
import { createNode, newShopper, type Shopper } from '#test/checkout-fixture.ts';
import { Posting } from '#test/delivery/posting.ts';
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
import { checkDueDates } from '#server/ops/invariants/due-dates.ts';
import { cancelSubscription, stopNow } from './cancellation.service.ts';
import { quoteRefund } from '../refunds/refund-quote.service.ts';
import { requestRefund } from '../refunds/refund-request.service.ts';
import { pauseSubscription, resume } from './pause.service.ts';

/** Days between two tries at a pause, once a year's six are used up. */
const TRIES_EVERY = Number(process.env['TRIES_EVERY'] ?? 9);

let deps: TestDeps;
let posting: Posting;
beforeAll(async () => {
  deps = await createTestDeps();
  posting = new Posting(deps);
});
beforeEach(() => deps.clock.set('2027-01-10T09:00:00Z'));
afterEach(() => endAll(deps));
afterAll(() => deps.database.close());

const inDays = (days: number): Date => new Date(deps.clock.now() + days * DAY_MS);
const at = (instant: string): Date => new Date(instant);
const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work
    .then(() => 'done')
    .catch(({ code, message }: { code: string; message: string }) => ({ code, message }));

// Shows fact 2.60.
test('a pause lasts from tomorrow to 00:00 of the chosen day, and its whole days move the due date', async () => {
  const shopper = await newSubscriber(deps, 'paused');
  const { next_billing_at: due } = await subscriptionOf(deps, shopper);
  const held = await pauseSubscription(deps, nameOf(shopper), at('2027-01-20T15:00:00Z'));
  const moved = new Date(due.getTime() + 9 * DAY_MS);
  expect(held).toEqual({
    pausesAt: at('2027-01-11T00:00:00Z'),
    resumesAt: at('2027-01-20T00:00:00Z'),
    nextBillingAt: moved,
    timeZone: 'UTC',
  });
  expect(await subscriptionOf(deps, shopper)).toMatchObject({ state: 'Active', shift_days: 9 });
  deps.clock.set('2027-01-10T23:59:50Z');
  posting.post(shopper);
  deps.clock.set('2027-01-11T00:00:20Z');
  posting.post(shopper);
  await posting.poll(shopper);
  // Today is served to its end; the post of the first paused day isn't.
  expect(await posting.orderedDays(shopper)).toEqual(['2027-01-10']);
  deps.clock.set('2027-01-11T00:01:00Z');
  await runDue(deps);
  expect(await subscriptionOf(deps, shopper)).toMatchObject({
    state: 'Paused',
    next_billing_at: moved,
  });
  deps.clock.set('2027-01-19T23:59:00Z');
  posting.post(shopper);
  await runDue(deps);
  expect((await subscriptionOf(deps, shopper)).state).toBe('Paused');
  deps.clock.set('2027-01-20T00:00:30Z');
  await runDue(deps);
  posting.post(shopper);
  await posting.poll(shopper);
  expect(await posting.orderedDays(shopper)).toEqual(['2027-01-10', '2027-01-20']);
  expect(await subscriptionOf(deps, shopper)).toMatchObject({
    state: 'Active',
    shift_days: 9,
    next_billing_at: moved,
    baseline_read_at: at('2027-01-20T00:00:00Z'),
  });
  await live(deps, 40 * DAY_MS);
  expect((await gatewayBook(deps, shopper)).chargedCents).toEqual([1700, 1700]);
  expect(await mailsOf(deps, shopper)).toEqual([
    'receipt',
    'subscription_paused',
    'subscription_resumed',
    'renewal_reminder',
    'receipt',
  ]);
});

test('resumed early, today is used and the whole days before it count', async () => {
  const shopper = await newSubscriber(deps, 'early');
  const { next_billing_at: due } = await subscriptionOf(deps, shopper);
  await pauseSubscription(deps, nameOf(shopper), inDays(20));
  await live(deps, 3.5 * DAY_MS, DAY_MS / 2);
  await resume(deps, nameOf(shopper));
  expect(await subscriptionOf(deps, shopper)).toMatchObject({
    state: 'Active',
    shift_days: 2,
    next_billing_at: new Date(due.getTime() + 2 * DAY_MS),
  });
  posting.post(shopper);
  await posting.poll(shopper);
  expect(await posting.orderedDays(shopper)).toEqual(['2027-01-13']);
});

test('a planned pause is taken back before it begins as if it had never been', async () => {
  const shopper = await newSubscriber(deps, 'undecided');
  const { next_billing_at: due } = await subscriptionOf(deps, shopper);
  for (let n = 0; n < 8; n += 1) {
    await pauseSubscription(deps, nameOf(shopper), inDays(20));
    await resume(deps, nameOf(shopper));
  }
  expect(await subscriptionOf(deps, shopper)).toMatchObject({
    state: 'Active',
    shift_days: 0,
    next_billing_at: due,
    pauses_at: null,
  });
  deps.clock.advance(DAY_MS);
  posting.post(shopper);
  await posting.poll(shopper);
  expect(await posting.orderedDays(shopper)).toEqual(['2027-01-11']);
});

const seventh = {
  code: 'subscription_state',
  message: expect.stringContaining('6 times') as string,
};

test('a seventh pause within 365 days is refused, and a new subscription brings no new six', async () => {
  const shopper = await newSubscriber(deps, 'often');
  for (let n = 0; n < 6; n += 1) {
    await pauseSubscription(deps, nameOf(shopper), inDays(2));
    await live(deps, 3 * DAY_MS, DAY_MS / 2);
  }
  expect(await refusal(pauseSubscription(deps, nameOf(shopper), inDays(5)))).toEqual(seventh);
  await stopNow(deps, nameOf(shopper));
  await createNode(deps)(shopper, 'again', { timeZone: 'UTC', ccYear: 2034 });
  expect(await refusal(pauseSubscription(deps, nameOf(shopper), inDays(5)))).toEqual(seventh);
  const elsewhere = await newShopper(deps, 'elsewhere');
  await createNode(deps)(elsewhere, 'elsewhere', { ccYear: 2034 });
  expect(await refusal(pauseSubscription(deps, nameOf(elsewhere), inDays(5)))).toBe('done');
  deps.clock.set('2028-01-13T09:00:00Z');
  await runDue(deps);
  expect(await refusal(pauseSubscription(deps, nameOf(shopper), inDays(5)))).toBe('done');
});

test('pauses count with the plan, too, whichever account it served then', async () => {
  const shopper = await newSubscriber(deps, 'moved');
  const { workspace_id, id: subscription_id } = await subscriptionOf(deps, shopper);
  const plan = { workspace_id, subscription_id, ig_id: 'served before' };
  const past = (...daysAgo: number[]) =>
    daysAgo.map((days) => ({ ...plan, pauses_at: inDays(-days), resumes_at: inDays(2 - days) }));
  const pauses = deps.database.db.insertInto('subscription_pause');
  await pauses.values(past(60, 50, 40, 30, 20)).execute();
  // One that is taken back takes none of the others with it.
  await pauseSubscription(deps, nameOf(shopper), inDays(5));
  await resume(deps, nameOf(shopper));
  await pauses.values(past(10)).execute();
  expect(await refusal(pauseSubscription(deps, nameOf(shopper), inDays(5)))).toEqual(seventh);
});

test('a due date inside the pause is charged at its end', async () => {
  const shopper = await newSubscriber(deps, 'tonight');
  const { next_billing_at: due } = await subscriptionOf(deps, shopper);
  // The day it falls due, some hours before.
  deps.clock.set(new Date(due.getTime() - 3 * HOUR_MS).toISOString());
  const held = await pauseSubscription(deps, nameOf(shopper), inDays(6));
  expect(held.nextBillingAt).toEqual(held.resumesAt);
  await live(deps, 5 * DAY_MS, HOUR_MS * 12);
  expect((await gatewayBook(deps, shopper)).chargedCents).toEqual([1700]);
  deps.clock.set(held.resumesAt.toISOString());
  await runDue(deps);
  await runDue(deps);
  expect((await gatewayBook(deps, shopper)).chargedCents).toEqual([1700, 1700]);
});

test('likes go on when the pause ends although the account can’t be read, and what is owed is charged', async () => {
  const shopper = await newSubscriber(deps, 'private');
  await pauseSubscription(deps, nameOf(shopper), inDays(3));
  deps.network.hideAccount('private');
  await live(deps, 40 * DAY_MS);
  expect((await subscriptionOf(deps, shopper)).state).toBe('Active');
  expect((await gatewayBook(deps, shopper)).chargedCents).toEqual([1700, 1700]);
});

test('a paused plan that is canceled keeps what is paid for; cut short, it stops as many days earlier', async () => {
  const shopper = await newSubscriber(deps, 'leaver');
  const { next_billing_at: due } = await subscriptionOf(deps, shopper);
  await pauseSubscription(deps, nameOf(shopper), inDays(10));
  await live(deps, 4 * DAY_MS);
  const end = new Date(due.getTime() + 9 * DAY_MS);
  expect(await cancelSubscription(deps, nameOf(shopper))).toEqual(end);
  await resume(deps, nameOf(shopper));
  const earlier = new Date(due.getTime() + 3 * DAY_MS);
  expect(await subscriptionOf(deps, shopper)).toMatchObject({ state: 'Active', ends_at: earlier });
  await live(deps, 60 * DAY_MS);
  expect(await subscriptionOf(deps, shopper)).toMatchObject({
    state: 'Canceled',
    ends_at: earlier,
  });
  expect((await gatewayBook(deps, shopper)).chargedCents).toEqual([1700]);
  const ends = ['subscription_ending', 'subscription_ending', 'subscription_stopped'];
  expect((await mailsOf(deps, shopper)).slice(2)).toEqual(ends);
});

test('one sentence says what holds where a pause makes no sense', async () => {
  const shopper = await newSubscriber(deps, 'refusals');
  const name = nameOf(shopper);
  const days = 'Please choose a day from January 12, 2027 to July 10, 2027';
  for (const until of [inDays(-1), inDays(0), inDays(1), inDays(182)]) {
    const refused = await refusal(pauseSubscription(deps, name, until));
    expect(refused).toEqual({ code: 'invalid_input', message: days });
  }
  const [first, duplicate] = await Promise.all([
    refusal(pauseSubscription(deps, name, inDays(20))),
    refusal(pauseSubscription(deps, name, inDays(30))),
  ]);
  expect([first, duplicate]).toContainEqual('done');
  expect([first, duplicate]).toContainEqual({
    code: 'subscription_state',
    message: expect.stringMatching(/^A pause until .* is already scheduled/) as string,
  });
  await live(deps, DAY_MS);
  expect(await refusal(pauseSubscription(deps, name, inDays(9)))).toMatchObject({
    message: expect.stringMatching(/^This plan is already paused until/) as string,
  });
  await resume(deps, name);
  expect(await refusal(resume(deps, name))).toMatchObject({ code: 'subscription_state' });
  await cancelSubscription(deps, name);
  expect(await refusal(pauseSubscription(deps, name, inDays(3)))).toMatchObject({
    code: 'subscription_state',
  });
});

test('on the nights the clocks change a paused day is one day, in the zone of the plan', async () => {
  const timeZone = 'America/New_York';
  deps.clock.set('2027-03-13T04:30:00Z');
  const shopper = await newSubscriber(deps, 'dst', { timeZone });
  const { next_billing_at: due } = await subscriptionOf(deps, shopper);
  // 23:30 of 12 March there: tomorrow is the 13th, and clocks go forward in the night to the 14th.
  const held = await pauseSubscription(deps, nameOf(shopper), at('2027-03-16T12:00:00Z'));
  expect(held.pausesAt).toEqual(at('2027-03-13T05:00:00Z'));
  expect(held.resumesAt).toEqual(at('2027-03-16T04:00:00Z'));
  expect(dayOf(held.nextBillingAt.getTime(), timeZone) - dayOf(due.getTime(), timeZone)).toBe(3);
});

test('a pause does not extend the money back', async () => {
  const shopper = await newSubscriber(deps, 'no.extension');
  const until = async () => (await quoteRefund(deps, nameOf(shopper))).until;
  const before = await until();
  await pauseSubscription(deps, nameOf(shopper), new Date(deps.clock.now() + 20 * DAY_MS));
  expect((await subscriptionOf(deps, shopper)).shift_days).toBeGreaterThan(10);
  expect(await until()).toBe(before);
  deps.clock.set(before);
  await expect(quoteRefund(deps, nameOf(shopper))).resolves.toMatchObject({ until: before });
  deps.clock.advance(1);
  await expect(requestRefund(deps, nameOf(shopper))).rejects.toMatchObject({
    code: 'money_back_over',
  });
});

test('H1: a year of half-hours with pauses in between is charged by whole months', async () => {
  const shopper = await newSubscriber(deps, 'half_hours');
  const startMs = deps.clock.now();
  for (let day = 0; day < 365;) {
    day += day < 30 ? 3 : TRIES_EVERY;
    await refusal(resume(deps, nameOf(shopper)));
    posting.post(shopper, 1);
    await posting.poll(shopper);
    deps.clock.advance(HOUR_MS / 2);
    await refusal(pauseSubscription(deps, nameOf(shopper), inDays(3)));
    deps.clock.set(new Date(startMs + day * DAY_MS).toISOString());
    await runDue(deps);
  }
  const given = await creditedDays(shopper);
  const served = new Set(await posting.orderedDays(shopper));
  // Six pauses of two days each are all a year has, and none of their days was served.
  expect(given).toHaveLength(12);
  expect(given.filter((day) => served.has(day))).toEqual([]);
  expect((await subscriptionOf(deps, shopper)).shift_days).toBe(12);
  expect((await gatewayBook(deps, shopper)).chargedCents).toEqual(Array(12).fill(1700));
  expect(await checkDueDates(deps.database.db)).toEqual([]);
});

async function creditedDays({ session }: Shopper): Promise<string[]> {
  const rows = await deps.database.db
    .selectFrom('subscription_day')
    .select('local_day')
    .where('workspace_id', '=', session.workspaceId)
    .where('state', '=', 'given')
    .orderBy('local_day')
    .execute();
  return rows.map(({ local_day: day }) => day);
}
