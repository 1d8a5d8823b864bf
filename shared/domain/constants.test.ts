import { expect, test } from 'vitest';
import { COUNTRY_CODES, DEFAULT_COUNTRY } from './money/countries.ts';
import { CREDIT_PACKAGES, EXTRA_LIKES_MIN } from './money/credit-packages.ts';
import { findPlan, LAST_SIGNUP_PLAN, PLANS } from './money/plans.ts';
import * as timings from './timings.ts';

// Shows facts 3.09, 9.01, 9.02, 9.03.
test('the plans are those of the specification', () => {
  expect(
    PLANS.map(({ number, description, price, priceVal }) => [number, description, price, priceVal]),
  ).toEqual([
    [1, '50', '9.99', 9.99],
    [2, '100', '17.00', 17],
    [3, '250', '24.00', 24],
    [4, '500', '48.00', 48],
    [5, '1,000', '75.00', 75],
    [6, '1,500', '99.00', 99],
    [7, '3,000', '189.00', 189],
    [8, '5,000', '300.00', 300],
    [9, '10,000', '450.00', 450],
  ]);
  expect(LAST_SIGNUP_PLAN).toBe(7);
});

test('a plan is found by its 1-based number', () => {
  expect(findPlan(1)?.likes).toBe(50);
  expect([findPlan(0), findPlan(10), findPlan(1.5)]).toEqual([undefined, undefined, undefined]);
});

// Shows facts 3.10, 9.08.
test('the credit packages are those of the specification', () => {
  expect(CREDIT_PACKAGES.map(({ credits, price }) => [credits, price])).toEqual([
    [2500, 10],
    [7500, 29],
    [15_000, 57],
    [25_000, 93],
    [50_000, 180],
    [100_000, 350],
  ]);
  expect(EXTRA_LIKES_MIN).toBe(20);
});

// Shows fact 5.24.
test('there are 27 countries, US first', () => {
  expect(COUNTRY_CODES.join(' ')).toBe(
    'US AR AU BR CA CO HR DK FR DE IN ID IL IT JP LU MX NZ NO RU SG ZA ES SE CH AE GB',
  );
  expect(DEFAULT_COUNTRY).toBe('US');
});

// Shows facts 8.01, 9.13.
test('the times of the screens are named constants', () => {
  expect({ ...timings }).toEqual({
    DIALOG_MS: 3000,
    SIGNUP_REDIRECT_MS: 2500,
    TOAST_MS: 5000,
    RESTORE_TIMEOUT_MS: 5000,
    PRICING_AUTOPLAY_MS: 5000,
    SLIDE_MS: 600,
  });
});
