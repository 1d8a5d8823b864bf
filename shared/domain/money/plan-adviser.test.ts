import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS } from '#shared/domain/durations.ts';
import { CREDIT_PACKAGES } from './credit-packages.ts';
import { dayOf } from './day-use.ts';
import {
  cheapestFor,
  countPosts,
  creditsForPostsCents,
  dryRunPack,
  dryRunPlan,
  forecastOf,
  HISTORY_DAYS,
  LEAST_DAYS,
  planAdvice,
  type PostHistory,
  usualAmount,
} from './plan-adviser.ts';
import { getPlan, PLANS } from './plans.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const zone = fc.constantFrom('UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe');
const ago = fc.integer({ min: 0, max: 120 * DAY_MS });
const history = fc
  .record({ ages: fc.array(ago, { maxLength: 400 }), known: ago, timeZone: zone })
  .map(({ ages, known, timeZone }): PostHistory => ({
    postsMs: ages.map((age) => NOW - age),
    fromMs: NOW - known,
    untilMs: NOW,
    timeZone,
  }));

/** So many posts, the same time apart, in the last days. */
const posted = (posts: number, days: number): PostHistory => ({
  postsMs: Array.from({ length: posts }, (_, nth) => NOW - ((nth + 0.5) * days * DAY_MS) / posts),
  fromMs: NOW - days * DAY_MS,
  untilMs: NOW,
  timeZone: 'UTC',
});
const ask = (posts: number, days: number, plan: number, usualLikes?: number) =>
  planAdvice({ history: posted(posts, days), plan: getPlan(plan), usualLikes, nowMs: NOW });

test('27 posts in 90 days are 9 a month: credits for them and the plan are compared to the cent, with the sums', () => {
  expect(ask(27, 90, 3)).toEqual({
    comparison:
      'At 9 posts a month, credits would cost $9.00 and the plan with 250 likes costs $24.00.',
    advice: 'You don’t need a plan: credits cost $15.00 less.',
    figures: [
      '27 posts in 90 days.',
      '27 × 30 ÷ 90 is about 9 posts a month.',
      '9 × 250 likes at 0.4 cents is $9.00. That’s the price in the package of 2,500 for $10.00, the smallest there is.',
    ],
  });
});

test('where posts are many the plan costs less, and where both cost the same no plan is needed', () => {
  expect(ask(180, 90, 3).advice).toBe('This plan costs $33.00 less than credits.');
  expect(ask(72, 90, 3).advice).toBe(
    'You don’t need a plan: it costs the same, and credits only when you post.',
  );
});

test('what was bought before is enough: nobody is led to more likes than they used', () => {
  expect(ask(27, 90, 9, 50).advice).toBe(
    'So far you usually bought 50 likes a post. For that you don’t need a plan: credits would cost $1.80 a month.',
  );
  expect(ask(300, 90, 9, 50).advice).toBe(
    'So far you usually bought 50 likes a post. For that the plan with 50 likes is enough, at $9.99 a month.',
  );
});

test('days that are too few give no figure, and no posts need nothing', () => {
  expect(ask(9, 13, 3)).toMatchObject({
    comparison:
      'We know 13 days of this account’s posts. After 14 days, we can tell you whether credits would cost less.',
    advice: undefined,
    figures: [],
  });
  const none = { ...posted(0, 40), postsMs: [] };
  expect(planAdvice({ history: none, plan: getPlan(3), usualLikes: 250, nowMs: NOW })).toEqual({
    comparison: 'There were no posts in the 40 days we know of.',
    advice: 'At that pace, you don’t need a plan, and credits would cost nothing.',
    figures: [],
  });
});

test('of any history the first four posts of each local day count, and only what is known', () => {
  fc.assert(
    fc.property(history, fc.integer({ min: 1, max: HISTORY_DAYS }), (any, days) => {
      const counted = countPosts(any, days, NOW);
      const firstMs = Math.max(any.fromMs, NOW - days * DAY_MS);
      expect(counted.posts.length).toBe(any.postsMs.filter((atMs) => atMs >= firstMs).length);
      expect(counted.days).toBeLessThanOrEqual(days);
      const perDay = Map.groupBy(counted.posts, ({ atMs }) => dayOf(atMs, any.timeZone));
      for (const posts of perDay.values()) {
        const served = posts.filter(({ isServed }) => isServed).length;
        expect(served).toBe(Math.min(4, posts.length));
      }
    }),
  );
});

test('a forecast is made of 14 days or more, is never more than 4 a day, and is 0 only without posts', () => {
  fc.assert(
    fc.property(history, (any) => {
      const forecast = forecastOf(any, NOW);
      const { days } = countPosts(any, HISTORY_DAYS, NOW);
      expect(forecast === undefined).toBe(days < LEAST_DAYS);
      if (!forecast) return;
      const { postsAMonth, served, posts } = forecast;
      expect(served).toBeLessThanOrEqual(posts);
      expect(postsAMonth === 0).toBe(served === 0);
      // A part of a day at either end may hold four more.
      expect(postsAMonth).toBeLessThanOrEqual(Math.ceil((4 * (days + 2) * 30) / days));
    }),
  );
});

test('credits are compared at the price of the largest package that a month uses up', () => {
  expect(ask(180, 90, 3)).toMatchObject({
    comparison:
      'At 60 posts a month, credits would cost $57.00 and the plan with 250 likes costs $24.00.',
    advice: 'This plan costs $33.00 less than credits.',
  });
  expect(ask(180, 90, 3).figures[2]).toBe(
    '60 × 250 likes at 0.38 cents is $57.00. That’s the price in the package of 15,000 for $57.00, the largest a month would use up.',
  );
  for (const { credits, priceCents } of CREDIT_PACKAGES) {
    expect(creditsForPostsCents(1, credits)).toBe(priceCents);
  }
});

test('credits cost whole cents, never less than in the largest package, nor more than in the smallest; what is advised costs least', () => {
  const posts = fc.integer({ min: 0, max: 400 });
  fc.assert(
    fc.property(posts, fc.integer({ min: 1, max: 20_000 }), (many, likes) => {
      const cents = creditsForPostsCents(many, likes);
      expect(Number.isInteger(cents)).toBe(true);
      expect(cents).toBeGreaterThanOrEqual((many * likes * 35_000) / 100_000);
      expect(cents).toBeLessThan((many * likes * 1000) / 2500 + 1);
      const best = cheapestFor(many, likes);
      const enough = PLANS.filter((plan) => plan.likes >= likes).map((plan) => plan.priceCents);
      const least = Math.min(cents, ...enough);
      expect(best.kind === 'nothing' ? undefined : best.cents).toBe(many > 0 ? least : undefined);
    }),
  );
});

test('the usual amount is the one in the middle, and there is none without orders', () => {
  expect(usualAmount([])).toBeUndefined();
  expect(usualAmount([1000, 20, 100])).toBe(100);
  expect(usualAmount([100, 20])).toBe(20);
});

test('a dry run of a plan says which posts of the last 30 days it would have served, and what a like costs', () => {
  const nine = { history: posted(9, 30), plan: getPlan(3), usualLikes: undefined, nowMs: NOW };
  expect(dryRunPlan(nine)?.line).toBe(
    'In the last 30 days, this plan would have sent likes to 9 of 9 posts, at 1.07 cents a like.',
  );
  const day = {
    ...posted(6, 30),
    postsMs: [1, 2, 3, 4, 5, 6].map((hour) => NOW - hour * 3_600_000),
  };
  const run = dryRunPlan({ ...nine, history: day });
  expect(run?.line).toContain('to 4 of 6 posts');
  expect(run?.posts.map(({ isServed }) => isServed)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(dryRunPlan({ ...nine, history: posted(1, 12) })?.line).toBe(
    'In the 12 days we know of, this plan would have sent likes to 1 of 1 post.',
  );
  const unknown = { ...posted(0, 0), postsMs: [] };
  expect(dryRunPlan({ ...nine, history: unknown })).toBeUndefined();
  expect(planAdvice({ ...nine, history: unknown }).comparison).toBe(
    'We know less than a day of this account’s posts. After 14 days, we can tell you whether credits would cost less.',
  );
});

test('a dry run of credits gives the oldest posts the usual amount until they are spent, never one more', () => {
  const { postsMs } = posted(30, 30);
  expect(dryRunPack({ postsMs, credits: 2500, usualLikes: 250 }).line).toBe(
    'At 250 likes a post, your usual amount, 2,500 credits are enough for 10 posts. We know of 30 posts in the last 30 days.',
  );
  expect(dryRunPack({ postsMs: [], credits: 2500, usualLikes: undefined }).line).toBe(
    'At 20 likes a post, the smallest order, 2,500 credits are enough for 125 posts. We know of 0 posts in the last 30 days.',
  );
  const credits = fc.integer({ min: 1, max: 100_000 });
  fc.assert(
    fc.property(credits, fc.integer({ min: 20, max: 10_000 }), (many, usualLikes) => {
      const { posts } = dryRunPack({ postsMs, credits: many, usualLikes });
      const served = posts.filter(({ isServed }) => isServed).length;
      expect(served).toBe(Math.min(posts.length, Math.floor(many / usualLikes)));
      expect(posts.slice(0, served).every(({ isServed }) => isServed)).toBe(true);
    }),
  );
});
