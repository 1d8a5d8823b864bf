import fc from 'fast-check';
import { expect, test } from 'vitest';
import { budgetMonth, budgetRefusal, budgetSentence, budgetTooLow, partSpent } from './budget.ts';
import { toLocal } from '../time-zone.ts';

const NOVEMBER = budgetMonth(Date.UTC(2026, 10, 21, 12), 'UTC');
const OF_ALL = { igUsername: null, clientName: null };
const OF_ADA = { igUsername: 'ada', clientName: null };
const cents = fc.integer({ min: 0, max: 200_000 });

test('a month begins at midnight of its first day in the zone, also at the turn of a year and of clocks', () => {
  const zone = fc.constantFrom('UTC', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Auckland');
  const instant = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2029, 0, 1) });
  fc.assert(
    fc.property(instant, zone, (nowMs, timeZone) => {
      const { fromMs, untilMs } = budgetMonth(nowMs, timeZone);
      expect(fromMs).toBeLessThanOrEqual(nowMs);
      expect(untilMs).toBeGreaterThan(nowMs);
      expect(toLocal(fromMs, timeZone)).toMatchObject({ day: 1, hour: 0, minute: 0 });
      expect(budgetMonth(untilMs, timeZone).fromMs).toBe(untilMs);
      expect(toLocal(untilMs - 1, timeZone).month).toBe(toLocal(nowMs, timeZone).month);
    }),
  );
});

test('what passes leaves all within the budget, this month and each one from now on; what fits passes', () => {
  fc.assert(
    fc.property(
      cents,
      cents,
      cents,
      cents,
      cents,
      (limitCents, spentCents, dueCents, price, plans) => {
        const sums = { spentCents, dueCents, monthlyCents: plans };
        const question = { ...sums, limitCents, ...OF_ALL, addedDueCents: 0 };
        const plan = { ...question, amountCents: price + 1, addedMonthlyCents: price + 1 };
        const isWithin = spentCents + dueCents + price < limitCents && plans + price < limitCents;
        expect(budgetRefusal(plan, NOVEMBER) === undefined).toBe(isWithin);
      },
    ),
  );
});

test('a refusal has the sums in its sentence', () => {
  const sums = { spentCents: 7600, dueCents: 1700, monthlyCents: 9300 };
  const question = { ...sums, limitCents: 10_000, ...OF_ADA, addedDueCents: 0 };
  expect(budgetRefusal({ ...question, amountCents: 2400, addedMonthlyCents: 2400 }, NOVEMBER)).toBe(
    'This costs $24.00. Of this month’s budget of $100.00 for @ada, $7.00 is left: $76.00 is spent or waiting for payment, and renewals of $17.00 are due by November 30, 2026. You were not charged. An owner can raise it under “Manage account”.',
  );
  expect(
    budgetRefusal(
      {
        ...question,
        ...OF_ALL,
        spentCents: 0,
        dueCents: 0,
        amountCents: 800,
        addedMonthlyCents: 800,
      },
      NOVEMBER,
    ),
  ).toBe(
    'With this, plans would cost $101.00 a month, and the budget for this workspace is $100.00. You were not charged. An owner can raise it under Billing.',
  );
});

test('a budget that plans exceed can’t be set; one that is spent already can, and says so', () => {
  const sums = { spentCents: 18_000, dueCents: 999, monthlyCents: 2699 };
  expect(budgetTooLow(2600, OF_ALL, sums)).toBe(
    'Plans of this workspace cost $26.99 a month, and this month $180.00 is spent or waiting for payment, and $9.99 is still due. A budget stops no renewal. Please set $27.00 or more, or stop a plan first.',
  );
  expect(budgetTooLow(2700, OF_ALL, sums)).toBeUndefined();
  expect(budgetSentence({ limitCents: 2700, ...OF_ALL }, sums, NOVEMBER)).toBe(
    '$180.00 of $27.00 is spent or waiting for payment this month, and renewals of $9.99 are still due. Nothing more can be bought for this workspace until December 1, 2026. Renewals continue.',
  );
  expect(
    budgetSentence({ limitCents: 30_000, ...OF_ADA }, { ...sums, dueCents: 0 }, NOVEMBER),
  ).toBe(
    '$180.00 of $300.00 is spent or waiting for payment this month. $120.00 is left until December 1, 2026.',
  );
});

test('80 and 100 percent are reached to the cent', () => {
  expect([7999, 8000, 9999, 10_000].map((spent) => partSpent(10_000, spent))).toEqual([
    undefined,
    80,
    80,
    100,
  ]);
});
