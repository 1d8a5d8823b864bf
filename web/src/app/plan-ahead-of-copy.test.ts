import { expect, test } from 'vitest';
import { planAheadOfCopy } from './plan-ahead-of-copy.ts';

test('a payment’s answer is believed until the copy has its plan too', () => {
  const hasPlan = planAheadOfCopy(false);
  expect(hasPlan(false, false)).toBe(false);
  // Paid; another part of the copy comes before that of the plan, twice.
  expect(hasPlan(false, true)).toBe(true);
  expect(hasPlan(false, true)).toBe(true);
  expect(hasPlan(true, true)).toBe(true);
  // Ended on another device.
  expect(hasPlan(false, true)).toBe(false);
  expect(hasPlan(false, false)).toBe(false);
});

test('a payment that is answered before the copy was first read is believed too', () => {
  const hasPlan = planAheadOfCopy(false);
  expect(hasPlan(false, true)).toBe(true);
});

test('a plan that ended while the product was closed is not held on to', () => {
  const hasPlan = planAheadOfCopy(true);
  expect(hasPlan(false, true)).toBe(false);
});
