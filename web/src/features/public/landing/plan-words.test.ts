import { expect, test } from 'vitest';
import { PLANS } from '#shared/domain/money/plans.ts';
import { planPurpose, pricePerLike } from './plan-words.ts';

test('every plan says what one like costs, and whom it is for', () => {
  expect(PLANS.map(pricePerLike)).toEqual([
    '0.67 cents',
    '0.57 cents',
    '0.32 cents',
    '0.32 cents',
    '0.25 cents',
    '0.22 cents',
    '0.21 cents',
    '0.20 cents',
    '0.15 cents',
  ]);
  expect(new Set(PLANS.map(planPurpose)).size).toBe(PLANS.length);
});
