import { expect, test } from 'vitest';
import { centsFromDollars, dollarsFromCents, formatCents } from './money.ts';
import { PLANS } from './plans.ts';

test('every price survives the way to dollars and back', () => {
  for (const { priceCents } of PLANS) {
    expect(centsFromDollars(dollarsFromCents(priceCents))).toBe(priceCents);
  }
});

test('an amount that is no whole number of cents is none', () => {
  expect(centsFromDollars(9.999)).toBeUndefined();
  expect(centsFromDollars(0.1 + 0.2)).toBe(30);
});

test('amounts are written in full', () => {
  expect(formatCents(123_450)).toBe('$1,234.50');
});

test('what is taken has a real minus sign', () => {
  expect([-2399, 0, 123_450].map(formatCents)).toEqual(['−$23.99', '$0.00', '$1,234.50']);
});
