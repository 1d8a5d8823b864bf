import { expect, test } from 'vitest';
import { getPlan } from '#shared/domain/money/plans.ts';
import { accountExample, postExample } from '#web/testing/examples.ts';
import { firstLikeSteps, hasFirstLike, watchingPlan } from './first-like.ts';

const old = postExample({
  automaticOutcome: 'before_subscription',
  deliveredLikes: 0,
  order: null,
});
const spotted = postExample({ automaticOutcome: 'ordered', deliveredLikes: 0 });
const liked = postExample({ automaticOutcome: 'ordered', deliveredLikes: 1 });
const ticks = (...posts: Array<typeof old>): boolean[] =>
  firstLikeSteps(getPlan(3), 'ada.paints', posts).map(({ isDone }) => isDone);

test('the steps tick themselves: a plan, a post that was spotted, a like that arrived', () => {
  expect(ticks()).toEqual([true, false, false]);
  expect(ticks(old)).toEqual([true, false, false]);
  expect(ticks(old, spotted)).toEqual([true, true, false]);
  expect(ticks(old, liked)).toEqual([true, true, true]);
  expect(hasFirstLike([old, spotted])).toBe(false);
});

test('they name the plan’s likes and the account that is watched', () => {
  const words = firstLikeSteps(getPlan(3), 'ada.paints', []).map(({ text }) => text);
  expect(words[0]).toBe('Every new post gets 250 likes.');
  expect(words[1]).toBe('We’re watching @ada.paints. Target: 30 seconds.');
});

test.each([
  [{}, 1],
  [{ subscriptionState: 'Paused' as const }, undefined],
  [{ subscriptionState: 'Past due' as const }, undefined],
  [{ subscriptionState: null, accountPackageId: null }, undefined],
  [{ problem: 'unreadable' as const }, undefined],
  [{ delivery: { automaticLikes: false, speed: 'Instant' as const, range: null } }, undefined],
])('only an account whose next post gets likes is told to post: %j', (changes, plan) => {
  expect(watchingPlan(accountExample(changes))?.number).toBe(plan);
});
