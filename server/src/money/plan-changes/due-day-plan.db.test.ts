import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '#shared/domain/durations.ts';
import { automaticOrderProblems } from '#test/delivery/automatic-order-problems.ts';
import type { Shopper } from '#test/checkout-fixture.ts';
import { createPlanChanger } from '#test/money/plan-changer.ts';
import { Posting } from '#test/delivery/posting.ts';
import { servedTime } from '#test/delivery/served-time.ts';
import {
  endAll,
  gatewayBook,
  nameOf,
  newSubscriber,
  runDue,
  subscriptionOf,
} from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { keepPlan } from './change-plan.service.ts';
import { cancelSubscription, stopNow } from '../cancellation/cancellation.service.ts';
import { pauseSubscription } from '../cancellation/pause.service.ts';

let deps: TestDeps;
let plans: ReturnType<typeof createPlanChanger>;
let posting: Posting;
const time = servedTime(() => deps);
beforeAll(async () => {
  deps = await createTestDeps();
  plans = createPlanChanger(deps);
  posting = new Posting(deps);
});
afterEach(() => endAll(deps));
afterAll(() => deps.database.close());

/** A top plan bought at 15:00. */
async function buy(igUsername: string, at: string): Promise<Shopper> {
  deps.clock.set(at);
  const shopper = await newSubscriber(deps, igUsername, { packageIndex: 9 });
  await posting.poll(shopper);
  return shopper;
}

/** The morning of the due day, or so many hours later. */
async function goToDueMorning(shopper: Shopper, hours = 0): Promise<void> {
  const { next_billing_at: due } = await subscriptionOf(deps, shopper);
  deps.clock.set(new Date(due.getTime() + (hours - 5) * HOUR_MS).toISOString());
}

async function postNow(shopper: Shopper, count = 1): Promise<void> {
  deps.clock.advance(60_000);
  posting.post(shopper, count);
  await posting.poll(shopper);
}

/** A top plan that becomes the smallest on its due day, on whose morning a post has got the small one's likes. */
async function serveSmallPlan(igUsername: string, at: string): Promise<Shopper> {
  const shopper = await buy(igUsername, at);
  await plans.changeTo(shopper, 1);
  await goToDueMorning(shopper);
  await postNow(shopper);
  expect(await likesOf(shopper)).toEqual([50]);
  deps.clock.advance(60_000);
  return shopper;
}

async function likesOf({ session }: Shopper): Promise<number[]> {
  const rows = await deps.database.db
    .selectFrom('like_order')
    .select('plan_likes')
    .where('workspace_id', '=', session.workspaceId)
    .orderBy('posted_at')
    .orderBy('slot')
    .execute();
  return rows.flatMap(({ plan_likes: likes }) => likes ?? []);
}

async function periodDaysOf({ session }: Shopper): Promise<Array<number | null>> {
  const rows = await deps.database.db
    .selectFrom('like_order')
    .select('period_days')
    .where('workspace_id', '=', session.workspaceId)
    .orderBy('posted_at')
    .execute();
  return rows.map((row) => row.period_days);
}

test('a plan kept after its smaller one has served the due morning holds from then on', async () => {
  const shopper = await serveSmallPlan('keeper', '2027-04-01T15:00:00Z');
  // Made before, read after it.
  posting.post(shopper);
  deps.clock.advance(60_000);
  await keepPlan(deps, nameOf(shopper));
  await postNow(shopper);
  expect(await likesOf(shopper)).toEqual([50, 50, 10_000]);
  expect(await automaticOrderProblems(deps)).toEqual([]);
  await goToDueMorning(shopper, 6);
  await runDue(deps);
  await postNow(shopper);
  expect(await likesOf(shopper)).toEqual([50, 50, 10_000, 10_000]);
  expect(await automaticOrderProblems(deps)).toEqual([]);
});

test('a plan stopped after its smaller one has served the due morning had that one', async () => {
  const shopper = await serveSmallPlan('stopper', '2028-04-01T15:00:00Z');
  await stopNow(deps, nameOf(shopper));
  expect(await automaticOrderProblems(deps)).toEqual([]);
});

test('a plan that is to stop on the due day after its smaller one has served had that one', async () => {
  const shopper = await serveSmallPlan('canceler', '2029-04-01T15:00:00Z');
  await cancelSubscription(deps, nameOf(shopper));
  expect(await automaticOrderProblems(deps)).toEqual([]);
});

test('an upgrade after a smaller plan has served the due morning leaves that one its posts', async () => {
  deps.clock.set('2030-04-01T15:00:00Z');
  const shopper = await newSubscriber(deps, 'climber', { packageIndex: 3 });
  await posting.poll(shopper);
  await plans.changeTo(shopper, 1);
  await goToDueMorning(shopper);
  await postNow(shopper);
  deps.clock.advance(60_000);
  await plans.changeTo(shopper, 9);
  await postNow(shopper);
  expect(await likesOf(shopper)).toEqual([50, 10_000]);
  expect(await automaticOrderProblems(deps)).toEqual([]);
});

test('a pause asked for after a smaller plan has served the due morning leaves that one its posts', async () => {
  const shopper = await serveSmallPlan('pauser', '2031-04-01T15:00:00Z');
  await pauseSubscription(deps, nameOf(shopper), new Date(deps.clock.now() + 10 * DAY_MS));
  expect(await automaticOrderProblems(deps)).toEqual([]);
});

test('a day given back after a smaller plan has served the due morning leaves that one its posts', async () => {
  const shopper = await buy('credited', '2032-04-01T15:00:00Z');
  await plans.changeTo(shopper, 1);
  await goToDueMorning(shopper, -24);
  await time.jumpTo(new Date(deps.clock.now() - 10 * HOUR_MS));
  await time.hide(shopper, 'unreadable');
  await time.work(24);
  await time.hide(shopper, null);
  await postNow(shopper);
  expect(await likesOf(shopper)).toEqual([50]);
  await time.work(1);
  const { next_billing_at: before } = await subscriptionOf(deps, shopper);
  await time.readAll();
  const { next_billing_at: after } = await subscriptionOf(deps, shopper);
  expect(after.getTime() - before.getTime()).toBe(DAY_MS);
  expect(await automaticOrderProblems(deps)).toEqual([]);
  await postNow(shopper);
  expect(await likesOf(shopper)).toEqual([50, 10_000]);
  expect(await automaticOrderProblems(deps)).toEqual([]);
});

test('whoever was served the due morning by a dear plan pays that month before a smaller one', async () => {
  const shopper = await buy('grabber', '2033-04-01T15:00:00Z');
  await postNow(shopper, 4);
  await goToDueMorning(shopper);
  const { quoteId } = await plans.quote(shopper, 1);
  await postNow(shopper, 4);
  const refusal = {
    code: 'subscription_state',
    message:
      'Posts have already gotten likes in the month that starts today. You can choose a smaller plan once that month is paid for.',
  };
  await expect(plans.change(shopper, quoteId)).rejects.toMatchObject(refusal);
  await expect(plans.quote(shopper, 1)).rejects.toMatchObject(refusal);
  await goToDueMorning(shopper, 6);
  await runDue(deps);
  const { chargedCents } = await gatewayBook(deps, shopper);
  expect(chargedCents).toEqual([45_000, 45_000]);
  await plans.changeTo(shopper, 1);
  expect(await automaticOrderProblems(deps)).toEqual([]);
});

test('a smaller plan chosen on the due morning leaves posts that the first day left out their likes', async () => {
  const shopper = await buy('sharer', '2034-04-01T15:00:00Z');
  await goToDueMorning(shopper);
  await postNow(shopper, 2);
  deps.clock.advance(60_000);
  await plans.changeTo(shopper, 1);
  await postNow(shopper);
  expect(await likesOf(shopper)).toEqual([10_000, 10_000, 50]);
  expect(await automaticOrderProblems(deps)).toEqual([]);
  await goToDueMorning(shopper, 6);
  await runDue(deps);
  expect(await automaticOrderProblems(deps)).toEqual([]);
});

test('a post served while the payment of an upgrade is checked keeps the plan that served it', async () => {
  deps.clock.set('2035-04-01T15:00:00Z');
  const shopper = await newSubscriber(deps, 'waiter', { packageIndex: 3, ccYear: 2040 });
  await posting.poll(shopper);
  deps.clock.advance(DAY_MS);
  deps.gateway.loseAnswers(1);
  await expect(plans.changeTo(shopper, 5)).rejects.toMatchObject({ code: 'payment_unknown' });
  await postNow(shopper);
  // Made before the payment is known, read after it.
  deps.clock.advance(60_000);
  posting.post(shopper);
  deps.clock.advance(10 * 60_000);
  await runDue(deps);
  expect((await subscriptionOf(deps, shopper)).package).toBe(5);
  await posting.poll(shopper);
  expect(await likesOf(shopper)).toEqual([250, 1000]);
  expect(await automaticOrderProblems(deps)).toEqual([]);
});

test('posts of the due morning that are archived while a smaller plan is chosen get the smaller one’s likes', async () => {
  const shopper = await buy('archiver', '2034-06-01T15:00:00Z');
  await postNow(shopper, 4);
  await goToDueMorning(shopper);
  const takenAtMs = deps.clock.now();
  deps.clock.advance(60_000);
  await plans.changeTo(shopper, 1);
  for (let n = 0; n < 4; n += 1) deps.network.addPost(shopper.igUsername, { takenAtMs });
  deps.clock.advance(60_000);
  await posting.poll(shopper);
  expect((await likesOf(shopper)).slice(4)).toEqual([50, 50, 50, 50]);
  expect(await automaticOrderProblems(deps)).toEqual([]);
});

test('posts archived while a smaller plan is chosen get its likes, but for those the first day left out', async () => {
  const shopper = await buy('hoarder', '2034-08-01T15:00:00Z');
  await postNow(shopper, 2);
  await goToDueMorning(shopper);
  const takenAtMs = deps.clock.now();
  await postNow(shopper);
  deps.clock.advance(60_000);
  await plans.changeTo(shopper, 1);
  for (let n = 0; n < 3; n += 1) deps.network.addPost(shopper.igUsername, { takenAtMs });
  deps.clock.advance(60_000);
  await posting.poll(shopper);
  expect(await likesOf(shopper)).toEqual([10_000, 10_000, 10_000, 50, 50, 10_000]);
  expect(await automaticOrderProblems(deps)).toEqual([]);
  await goToDueMorning(shopper, 6);
  await runDue(deps);
  expect(await automaticOrderProblems(deps)).toEqual([]);
});

test('posts of the due morning that are archived until the smaller plan is paid get its likes', async () => {
  const shopper = await buy('restorer', '2034-09-06T15:00:00Z');
  await postNow(shopper, 3);
  await goToDueMorning(shopper);
  const takenAtMs = deps.clock.now();
  await postNow(shopper);
  deps.clock.advance(60_000);
  await plans.changeTo(shopper, 1);
  await goToDueMorning(shopper, 6);
  await runDue(deps);
  for (let n = 0; n < 3; n += 1) deps.network.addPost(shopper.igUsername, { takenAtMs });
  deps.clock.advance(60_000);
  await posting.poll(shopper);
  const served = await likesOf(shopper);
  expect(served.toSorted((a, b) => b - a)).toEqual([10_000, 10_000, 10_000, 10_000, 50, 50, 50]);
  expect(await automaticOrderProblems(deps)).toEqual([]);
});

test('what is served in advance has the days of the month that pays for it', async () => {
  const shopper = await buy('counter', '2034-11-01T15:00:00Z');
  await postNow(shopper, 4);
  await goToDueMorning(shopper);
  await postNow(shopper);
  expect(await periodDaysOf(shopper)).toEqual([30, 30, 30, 30, 31]);
});

test('a post that waits for a payment has the days it pays for, though a smaller plan is chosen meanwhile', async () => {
  const shopper = await buy('owing', '2034-11-05T15:00:00Z');
  await goToDueMorning(shopper, 5);
  const declined = { kind: 'declined', code: 'insufficient_funds' } as const;
  deps.gateway.queueFailure(declined, declined);
  await runDue(deps);
  deps.clock.advance(DAY_MS);
  await runDue(deps);
  await postNow(shopper);
  expect(await periodDaysOf(shopper)).toEqual([]);
  deps.clock.advance(60_000);
  await plans.changeTo(shopper, 1);
  deps.clock.advance(2 * DAY_MS);
  await runDue(deps);
  await posting.poll(shopper);
  expect(await periodDaysOf(shopper)).toEqual([31]);
});
