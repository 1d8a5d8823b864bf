import { expect, test } from 'vitest';
import { moneyBackArithmetic } from './money-back-words.ts';

const NOTHING_USED = {
  chargedCents: 999,
  hasFreeLikes: true,
  paidLikes: 0,
  likesCents: 0,
  takenCredits: 0,
  usedCredits: 0,
  creditsCents: 0,
};

test('without deductions the arithmetic of a money back says that there are none', () => {
  expect(moneyBackArithmetic(NOTHING_USED)).toBe('Nothing is deducted from the $9.99 charged.');
});

test('each deduction of a money back stands with its count and its sum', () => {
  expect(
    moneyBackArithmetic({
      ...NOTHING_USED,
      paidLikes: 1200,
      likesCents: 240,
      takenCredits: 40,
      usedCredits: 1,
      creditsCents: 1,
    }),
  ).toBe(
    '$9.99 charged, less $2.40 for 1,200 likes delivered beyond the first 2,500, less $0.01 for 1 used credit. We take back the plan’s credits: 40.',
  );
});
