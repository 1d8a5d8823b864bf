import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moneyBack, MONEY_BACK_FREE_LIKES, type MoneyBackOrder } from './money-back.ts';
import { PLANS } from './plans.ts';

const order: fc.Arbitrary<MoneyBackOrder> = fc
  .record({
    plan: fc.constantFrom(...PLANS),
    periodDays: fc.integer({ min: 28, max: 31 }),
    orderedShare: fc.double({ min: 0.01, max: 1, noNaN: true }),
    deliveredShare: fc.double({ min: 0, max: 1, noNaN: true }),
    bonus: fc.integer({ min: 0, max: 1000 }),
    isFinal: fc.boolean(),
  })
  .map(({ plan, periodDays, orderedShare, deliveredShare, bonus, isFinal }) => {
    const ordered = Math.max(1, Math.round(plan.likes * orderedShare));
    return {
      planPriceCents: plan.priceCents,
      planLikes: plan.likes,
      periodDays,
      ordered,
      delivered: Math.round((ordered + bonus) * deliveredShare),
      isFinal,
    };
  });
const facts = fc.record({
  chargedCents: fc.integer({ min: 0, max: 100_000 }),
  orders: fc.array(order, { maxLength: 40 }),
  hasFreeLikes: fc.boolean(),
  usedCredits: fc.integer({ min: 0, max: 50_000 }),
});

test('it returns between nothing and all that was charged, and the least is never above the most', () => {
  fc.assert(
    fc.property(facts, (of) => {
      const { least, most } = moneyBack(of);
      expect(least.cents).toBeGreaterThanOrEqual(0);
      expect(least.cents).toBeLessThanOrEqual(most.cents);
      expect(most.cents).toBeLessThanOrEqual(of.chargedCents);
    }),
  );
});

test('once every order has ended, least and most are the same', () => {
  fc.assert(
    fc.property(facts, (of) => {
      const orders = of.orders.map((one) => ({ ...one, isFinal: true }));
      const { least, most } = moneyBack({ ...of, orders });
      expect(least).toEqual(most);
    }),
  );
});

test('what is delivered, spent or disputed more never returns more', () => {
  fc.assert(
    fc.property(facts, order, fc.nat(1000), (of, further, more) => {
      const before = moneyBack(of);
      const worse = [
        { ...of, orders: [...of.orders, further] },
        { ...of, usedCredits: of.usedCredits + more },
        { ...of, chargedCents: Math.max(0, of.chargedCents - more) },
        { ...of, hasFreeLikes: false },
      ].map(moneyBack);
      for (const { least, most } of worse) {
        expect(least.cents).toBeLessThanOrEqual(before.least.cents);
        expect(most.cents).toBeLessThanOrEqual(before.most.cents);
      }
    }),
  );
});

test('without a delivered like beyond the free ones, everything returns', () => {
  const of = { ...ordersOf(10, 250, 2400, 30), chargedCents: 2400, usedCredits: 0 };
  expect(moneyBack({ ...of, hasFreeLikes: true }).least).toEqual({
    cents: 2400,
    likes: MONEY_BACK_FREE_LIKES,
    paidLikes: 0,
    likesCents: 0,
    creditsCents: 0,
  });
  expect(moneyBack({ ...of, hasFreeLikes: false }).least.cents).toBe(2200);
});

test('a plan used to the full keeps its price but for the free likes', () => {
  for (const { likes, priceCents } of PLANS) {
    for (const days of [28, 29, 30, 31]) {
      const of = { ...ordersOf(4 * days, likes, priceCents, days), usedCredits: 0 };
      const { least } = moneyBack({ ...of, chargedCents: priceCents, hasFreeLikes: true });
      const freeCents = Math.floor(
        Math.min(1, MONEY_BACK_FREE_LIKES / (4 * days * likes)) * priceCents + 1e-6,
      );
      expect(least.cents).toBe(freeCents);
      const without = moneyBack({ ...of, chargedCents: priceCents, hasFreeLikes: false });
      expect(without.least.cents).toBe(0);
    }
  }
});

test('bonus likes cost nothing, and what is under way counts whole in the least', () => {
  const terms = { planPriceCents: 45_000, planLikes: 10_000, periodDays: 30, ordered: 10_000 };
  const of = { chargedCents: 45_000, hasFreeLikes: true, usedCredits: 0 };
  const done = { ...terms, delivered: 10_900, isFinal: true };
  expect(moneyBack({ ...of, orders: [done] }).least.likes).toBe(10_000);
  const running = { ...terms, delivered: 4000, isFinal: false };
  const { least, most } = moneyBack({ ...of, orders: [running] });
  // 7,500 and 1,500 likes at 0.0375 cents.
  expect([least.cents, most.cents]).toEqual([44_718, 44_943]);
});

test('used credits cost 0.4 cents each, rounded up to the cent', () => {
  const of = { chargedCents: 1700, orders: [], hasFreeLikes: true };
  expect(moneyBack({ ...of, usedCredits: 500 }).least.cents).toBe(1500);
  expect(moneyBack({ ...of, usedCredits: 1 }).least.cents).toBe(1699);
});

function ordersOf(posts: number, likes: number, planPriceCents: number, periodDays: number) {
  const terms = { planPriceCents, planLikes: likes, periodDays };
  const one = { ...terms, ordered: likes, delivered: likes, isFinal: true };
  return { orders: Array.from({ length: posts }, () => one) };
}
