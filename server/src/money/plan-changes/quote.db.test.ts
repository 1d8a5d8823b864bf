import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createPlanChanger, untilDue } from '#test/money/plan-changer.ts';
import {
  endAll,
  gatewayBook,
  newSubscriber,
  runDue,
  subscriptionOf,
} from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let plans: ReturnType<typeof createPlanChanger>;
beforeAll(async () => {
  deps = await createTestDeps();
  plans = createPlanChanger(deps);
});
afterEach(() => endAll(deps));
afterAll(() => deps.database.close());

test('a quote that no longer holds changes and charges nothing', async () => {
  const shopper = await newSubscriber(deps, 'stale');
  const late = await plans.quote(shopper, 3);
  deps.clock.advance(15 * 60_000);
  await expect(plans.change(shopper, late.quoteId)).rejects.toMatchObject({
    code: 'price_changed',
  });
  // Two devices: the second one’s price was that of another plan.
  const [first, second] = [await plans.quote(shopper, 3), await plans.quote(shopper, 4)];
  await plans.change(shopper, first.quoteId);
  await expect(plans.change(shopper, second.quoteId)).rejects.toMatchObject({
    code: 'price_changed',
  });
  await expect(plans.change(shopper, first.quoteId, 'twice')).rejects.toMatchObject({
    code: 'price_changed',
  });
  expect(await subscriptionOf(deps, shopper)).toMatchObject({
    package: 3,
    subscription_version: 1,
  });
  const other = await newSubscriber(deps, 'other');
  const theirs = await plans.quote(other, 3);
  await expect(plans.change(shopper, theirs.quoteId)).rejects.toMatchObject({ code: 'not_found' });
});

test('a quote ends with its local day, on clocks that are five minutes apart too', async () => {
  deps.clock.set('2027-07-09T21:52:00Z');
  const shopper = await newSubscriber(deps, 'night.owl', { timeZone: 'Europe/Berlin' });
  // 23:52 in Berlin: eight minutes are left of the day.
  const offer = await plans.quote(shopper, 4);
  expect(offer).toMatchObject({ unusedDays: 30, periodDays: 31 });
  expect(offer.expiresAt).toBe('2027-07-09T22:00:00.000Z');
  deps.clock.set('2027-07-09T22:00:00Z');
  await expect(plans.change(shopper, offer.quoteId)).rejects.toMatchObject({
    code: 'price_changed',
  });
  // Made by a node that is ahead, of tomorrow’s price, and used on one where it is still today.
  deps.clock.set('2027-07-09T22:03:00Z');
  const ahead = await plans.quote(shopper, 4);
  expect(ahead.unusedDays).toBe(29);
  deps.clock.set('2027-07-09T21:58:00Z');
  await expect(plans.change(shopper, ahead.quoteId)).rejects.toMatchObject({
    code: 'price_changed',
  });
  expect((await gatewayBook(deps, shopper)).chargedCents).toEqual([1700]);
});

test('on the nights the clocks change a day is a day: neither 23 nor 25 hours shift the price', async () => {
  for (const [name, night, unusedDays] of [
    ['spring', '2027-03-27T22:30:00Z', 30],
    ['autumn', '2027-10-30T21:30:00Z', 30],
  ] as const) {
    deps.clock.set(night);
    const shopper = await newSubscriber(deps, name, { timeZone: 'Europe/Berlin' });
    expect(await plans.quote(shopper, 4)).toMatchObject({ unusedDays, periodDays: 31 });
    // Three hours later it is the next day, which is used too.
    deps.clock.advance(3 * 3_600_000);
    expect(await plans.quote(shopper, 4)).toMatchObject({ unusedDays: unusedDays - 1 });
  }
});

test('after a due date has passed an older quote no longer holds, and none is made before its charge', async () => {
  const shopper = await newSubscriber(deps, 'just.due', { packageIndex: 2 });
  await untilDue(deps, shopper);
  deps.clock.advance(-5 * 60_000);
  const [up, down] = [await plans.quote(shopper, 4), await plans.quote(shopper, 1)];
  deps.clock.advance(6 * 60_000);
  for (const { quoteId } of [up, down]) {
    await expect(plans.change(shopper, quoteId)).rejects.toMatchObject({ code: 'price_changed' });
  }
  await expect(plans.quote(shopper, 1)).rejects.toMatchObject({ code: 'subscription_state' });
  await runDue(deps);
  expect(await plans.quote(shopper, 4)).toMatchObject({ unusedDays: 30, periodDays: 31 });
});
