import fc from 'fast-check';
import { expect, test } from 'vitest';
import { creditsCostCents, likesCostCents, shortfallCredits } from './like-price.ts';
import { PLANS } from './plans.ts';

const terms = fc.record({
  plan: fc.constantFrom(...PLANS),
  periodDays: fc.integer({ min: 28, max: 31 }),
});
const orderTerms = terms.map(({ plan, periodDays }) => ({
  planPriceCents: plan.priceCents,
  planLikes: plan.likes,
  periodDays,
}));
const likes = fc.integer({ min: 0, max: 10_000 });

test('credits are worth what the likes had cost, and less than one credit more', () => {
  fc.assert(
    fc.property(likes, orderTerms, (missing, of) => {
      const worth = creditsCostCents(shortfallCredits(missing, of));
      const cost = likesCostCents(missing, of);
      expect(worth).toBeGreaterThan(cost - 1e-9);
      expect(worth).toBeLessThan(cost + creditsCostCents(1));
    }),
  );
});

test('more missing likes never give fewer credits, and none give none', () => {
  fc.assert(
    fc.property(likes, likes, orderTerms, (one, other, of) => {
      const [less, more] = [Math.min(one, other), Math.max(one, other)];
      expect(shortfallCredits(less, of)).toBeLessThanOrEqual(shortfallCredits(more, of));
    }),
  );
  expect(shortfallCredits(0, { planPriceCents: 999, planLikes: 50, periodDays: 31 })).toBe(0);
});

test('a whole month without a like returns no more than its price and one credit a post', () => {
  for (const { priceCents: planPriceCents, likes: planLikes } of PLANS) {
    for (const periodDays of [28, 29, 30, 31]) {
      const posts = 4 * periodDays;
      const of = { planPriceCents, planLikes, periodDays };
      const worth = creditsCostCents(posts * shortfallCredits(planLikes, of));
      expect(worth).toBeGreaterThanOrEqual(planPriceCents - 1e-6);
      expect(worth).toBeLessThan(planPriceCents + creditsCostCents(posts));
    }
  }
});

test('ten thousand likes of the largest plan are 938 credits in a month of 30 days', () => {
  expect(
    shortfallCredits(10_000, { planPriceCents: 45_000, planLikes: 10_000, periodDays: 30 }),
  ).toBe(938);
});
