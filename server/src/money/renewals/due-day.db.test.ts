import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '#shared/domain/durations.ts';
import { automaticOrderProblems } from '#test/delivery/automatic-order-problems.ts';
import { createNode, newShopper, type Shopper } from '#test/checkout-fixture.ts';
import { createPlanChanger } from '#test/money/plan-changer.ts';
import { Posting } from '#test/delivery/posting.ts';
import {
  endAll,
  gatewayBook,
  nameOf,
  newSubscriber,
  runDue,
  subscriptionOf,
} from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { cancelSubscription, stopNow } from '../cancellation/cancellation.service.ts';
import { pauseSubscription, resume } from '../cancellation/pause.service.ts';

const declined = { kind: 'declined', code: 'insufficient_funds' } as const;
let deps: TestDeps;
let posting: Posting;
let plans: ReturnType<typeof createPlanChanger>;
beforeAll(async () => {
  deps = await createTestDeps();
  posting = new Posting(deps);
  plans = createPlanChanger(deps);
});
afterEach(() => endAll(deps));
afterAll(() => deps.database.close());

/** Bought at 15:00, for 30 days, and polled. */
async function buy(igUsername: string, at: string): Promise<Shopper> {
  deps.clock.set(at);
  const shopper = await newSubscriber(deps, igUsername, { packageIndex: 9 });
  await posting.poll(shopper);
  deps.clock.advance(60_000);
  return shopper;
}

async function postNow(shopper: Shopper, count = 4): Promise<number> {
  posting.post(shopper, count);
  await posting.poll(shopper);
  return (await posting.orderedDays(shopper)).length;
}

/** So many hours before, or behind, the due date. */
async function goToDue(shopper: Shopper, hours: number): Promise<void> {
  const { next_billing_at: due } = await subscriptionOf(deps, shopper);
  deps.clock.set(new Date(due.getTime() + hours * HOUR_MS).toISOString());
}

test('a month that is the last one serves as many posts as its days, though it touches one day more', async () => {
  const shopper = await buy('fence', '2027-04-01T15:00:00Z');
  for (let day = 0; day < 30; day += 1) {
    await postNow(shopper);
    deps.clock.advance(DAY_MS);
  }
  await cancelSubscription(deps, nameOf(shopper));
  await goToDue(shopper, -5);
  expect(await postNow(shopper)).toBe(4 * 30);
  await goToDue(shopper, 1);
  await runDue(deps);
  expect(await postNow(shopper)).toBe(4 * 30);
  expect((await subscriptionOf(deps, shopper)).state).toBe('Canceled');
  expect(await automaticOrderProblems(deps)).toEqual([]);
});

test('posts that a late first day left out are served on the last day', async () => {
  const shopper = await buy('evening', '2028-04-01T23:50:00Z');
  expect(await postNow(shopper, 1)).toBe(1);
  await cancelSubscription(deps, nameOf(shopper));
  await goToDue(shopper, -5);
  expect(await postNow(shopper)).toBe(4);
});

test('the last day’s share is not given a second time to posts of the first day that show up after it', async () => {
  const shopper = await buy('archive', '2028-06-01T15:00:00Z');
  const takenAtMs = deps.clock.now();
  await cancelSubscription(deps, nameOf(shopper));
  await goToDue(shopper, -5);
  expect(await postNow(shopper)).toBe(4);
  for (let n = 0; n < 4; n += 1) deps.network.addPost(shopper.igUsername, { takenAtMs });
  deps.clock.advance(60_000);
  await posting.poll(shopper);
  expect(await posting.orderedDays(shopper)).toHaveLength(4);
  expect(await automaticOrderProblems(deps)).toEqual([]);
});

test('posts of the first day that wait behind the last day’s are served once the plan goes on', async () => {
  const shopper = await buy('undone', '2028-08-01T15:00:00Z');
  const takenAtMs = deps.clock.now();
  await cancelSubscription(deps, nameOf(shopper));
  await goToDue(shopper, -5);
  expect(await postNow(shopper)).toBe(4);
  deps.network.addPost(shopper.igUsername, { takenAtMs });
  deps.clock.advance(60_000);
  await posting.poll(shopper);
  await resume(deps, nameOf(shopper));
  await goToDue(shopper, 0);
  await runDue(deps);
  deps.clock.advance(60_000);
  await posting.poll(shopper);
  expect(await posting.orderedDays(shopper)).toHaveLength(5);
  expect(await automaticOrderProblems(deps)).toEqual([]);
});

test('posts of the day before the first one, archived at the checkout, are served by no plan', async () => {
  const shopper = await buy('midnight', '2026-12-01T00:01:00Z');
  const takenAtMs = deps.clock.now() - 4 * 60_000;
  for (let n = 0; n < 4; n += 1) deps.network.addPost(shopper.igUsername, { takenAtMs });
  await posting.poll(shopper);
  expect(await posting.orderedDays(shopper)).toEqual([]);
  expect(await postNow(shopper)).toBe(4);
  expect(await automaticOrderProblems(deps)).toEqual([]);
});

test('who goes on is served on the due day as on any other, and nothing waits', async () => {
  const shopper = await buy('loyal', '2029-04-01T15:00:00Z');
  await postNow(shopper);
  await goToDue(shopper, -5);
  expect(await postNow(shopper)).toBe(8);
  await goToDue(shopper, 1);
  await runDue(deps);
  // The fifth of the day, then four of each day.
  expect(await postNow(shopper, 1)).toBe(8);
  deps.clock.advance(DAY_MS);
  expect(await postNow(shopper)).toBe(12);
  await goToDue(shopper, -5);
  expect(await postNow(shopper)).toBe(16);
  expect(await automaticOrderProblems(deps)).toEqual([]);
});

test('four posts are served in advance of a payment that is declined; the others when it is paid', async () => {
  const shopper = await buy('late', '2030-04-01T15:00:00Z');
  await postNow(shopper);
  await goToDue(shopper, -5);
  expect(await postNow(shopper, 2)).toBe(6);
  await goToDue(shopper, 0);
  deps.gateway.queueFailure(declined);
  await runDue(deps);
  deps.clock.advance(HOUR_MS);
  expect(await postNow(shopper, 2)).toBe(8);
  // The day after, before the card is tried again.
  deps.clock.advance(DAY_MS - 3 * HOUR_MS);
  expect(await postNow(shopper)).toBe(8);
  expect(await automaticOrderProblems(deps)).toEqual([]);
  deps.clock.advance(3 * HOUR_MS);
  await runDue(deps);
  deps.clock.advance(60_000);
  await posting.poll(shopper);
  expect(await posting.orderedDays(shopper)).toHaveLength(12);
  expect(await automaticOrderProblems(deps)).toEqual([]);
});

test('an advance that was never paid is none again in 365 days, for nobody with this account', async () => {
  const first = await buy('again', '2031-04-01T15:00:00Z');
  await postNow(first);
  await goToDue(first, -5);
  expect(await postNow(first)).toBe(8);
  await stopNow(deps, nameOf(first));
  deps.clock.advance(DAY_MS);
  const other = await newShopper(deps, 'again', { onNetwork: false });
  await createNode(deps)(other, 'again2', { packageIndex: 9, timeZone: 'UTC', ccYear: 2034 });
  await posting.poll(other);
  deps.clock.advance(60_000);
  expect(await postNow(other)).toBe(4);
  await goToDue(other, -5);
  expect(await postNow(other)).toBe(4);
  expect(await automaticOrderProblems(deps)).toEqual([]);
  // Paid at its hour: the posts of the morning are served.
  await goToDue(other, 0);
  await runDue(deps);
  deps.clock.advance(60_000);
  await posting.poll(other);
  expect(await posting.orderedDays(other)).toHaveLength(8);
});

test('a pause asked for on the due day makes the day no paid one', async () => {
  const shopper = await buy('pauser', '2032-04-01T15:00:00Z');
  await postNow(shopper);
  await goToDue(shopper, -6);
  const until = new Date(deps.clock.now() + 10 * DAY_MS);
  await pauseSubscription(deps, nameOf(shopper), until);
  await cancelSubscription(deps, nameOf(shopper));
  deps.clock.advance(HOUR_MS);
  expect(await postNow(shopper)).toBe(4);
});

test('an upgrade on the due day pays for the posts served in advance of it', async () => {
  const shopper = await buy('riser', '2033-04-01T15:00:00Z');
  deps.clock.set('2033-04-20T10:00:00Z');
  const cheap = await newSubscriber(deps, 'riser2', { packageIndex: 1 });
  await posting.poll(cheap);
  deps.clock.advance(60_000);
  await postNow(cheap);
  await goToDue(cheap, -1);
  expect(await postNow(cheap)).toBe(8);
  deps.clock.advance(60_000);
  await plans.changeTo(cheap, 9);
  const { chargedCents } = await gatewayBook(deps, cheap);
  expect(chargedCents).toEqual([999, 45_000 + Math.ceil(999 / 30)]);
  await stopNow(deps, nameOf(shopper));
});

test('a smaller plan begins with the local day of its due date', async () => {
  const shopper = await buy('smaller', '2034-04-01T15:00:00Z');
  await plans.changeTo(shopper, 1);
  await goToDue(shopper, -5);
  await postNow(shopper, 1);
  const likes = async () =>
    deps.database.db
      .selectFrom('like_order')
      .select('plan_likes')
      .where('workspace_id', '=', shopper.session.workspaceId)
      .execute();
  expect(await likes()).toEqual([{ plan_likes: 50 }]);
  await goToDue(shopper, 1);
  await runDue(deps);
  await postNow(shopper, 1);
  expect(await likes()).toEqual([{ plan_likes: 50 }, { plan_likes: 50 }]);
  expect(await automaticOrderProblems(deps)).toEqual([]);
});

/** A plan of which nothing but four posts of its due morning was served; when its first day's posts were taken. */
async function shareFirstDay(shopper: Shopper): Promise<number> {
  const takenAtMs = deps.clock.now();
  await goToDue(shopper, -5);
  expect(await postNow(shopper)).toBe(4);
  deps.clock.advance(60_000);
  return takenAtMs;
}

/** @returns how many orders the subscription has, once four posts of then have shown up */
async function bringBack(shopper: Shopper, takenAtMs: number): Promise<number> {
  for (let n = 0; n < 4; n += 1) deps.network.addPost(shopper.igUsername, { takenAtMs });
  deps.clock.advance(60_000);
  await posting.poll(shopper);
  return (await posting.orderedDays(shopper)).length;
}

test('a first day whose share the due day had serves nothing behind an upgrade of that day', async () => {
  deps.clock.set('2034-06-01T15:00:00Z');
  const shopper = await newSubscriber(deps, 'grower', { packageIndex: 8 });
  await posting.poll(shopper);
  deps.clock.advance(60_000);
  const takenAtMs = await shareFirstDay(shopper);
  await plans.changeTo(shopper, 9);
  expect(await bringBack(shopper, takenAtMs)).toBe(4);
  expect(await automaticOrderProblems(deps)).toEqual([]);
});

test('a first day whose share the due day had serves nothing behind a smaller plan of that day', async () => {
  const shopper = await buy('shrinker', '2034-08-01T15:00:00Z');
  const takenAtMs = await shareFirstDay(shopper);
  await plans.changeTo(shopper, 1);
  await goToDue(shopper, 1);
  await runDue(deps);
  expect(await bringBack(shopper, takenAtMs)).toBe(4);
  expect(await automaticOrderProblems(deps)).toEqual([]);
});

test('a first day is served behind a smaller plan that served the due day itself', async () => {
  const shopper = await buy('planner', '2034-10-01T15:00:00Z');
  await plans.changeTo(shopper, 1);
  const takenAtMs = await shareFirstDay(shopper);
  await goToDue(shopper, 1);
  await runDue(deps);
  expect(await bringBack(shopper, takenAtMs)).toBe(8);
  expect(await automaticOrderProblems(deps)).toEqual([]);
});
