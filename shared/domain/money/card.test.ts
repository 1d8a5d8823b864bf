import { expect, test } from 'vitest';
import {
  CARD_BRAND_NAMES,
  cardBrand,
  cardDigits,
  isCardNumber,
  isCvv,
  isCardExpired,
  maskCardNumber,
} from './card.ts';

test.each([
  ['4242 4242 4242 4242', 'visa', 'Visa'],
  ['5555-5555-5555-4444', 'mastercard', 'Mastercard'],
  ['2223003122003222', 'mastercard', 'Mastercard'],
  ['6011 1111 1111 1117', 'discover', 'Discover'],
  ['3782 822463 10005', 'amex', 'American Express'],
])('%s is a %s', (typed, brand, name) => {
  const digits = cardDigits(typed);
  const found = cardBrand(digits);
  expect([found, found && CARD_BRAND_NAMES[found]]).toEqual([brand, name]);
  expect(isCardNumber(digits)).toBe(true);
});

test.each([
  '4242424242424241',
  '424242424242424',
  '378282246310004',
  '1234567890123452',
  '',
  'abcd',
])('%s is no card number', (digits) => {
  expect(isCardNumber(digits)).toBe(false);
});

// Shows fact 5.22.
test('a change of any one digit is caught', () => {
  const good = '4242424242424242';
  const wrong = Array.from(good).flatMap((digit, index) =>
    Array.from(
      '0123456789',
      (other) => good.slice(0, index) + other + good.slice(index + 1),
    ).filter((changed) => changed !== good && digit !== '' && isCardNumber(changed)),
  );
  expect(wrong).toEqual([]);
});

// Shows fact 5.23.
test('CVV has 3 digits, 4 on amex', () => {
  expect([isCvv('123', 'visa'), isCvv('1234', 'amex'), isCvv('123', undefined)]).toEqual([
    true,
    true,
    true,
  ]);
  expect([
    isCvv('1234', 'visa'),
    isCvv('123', 'amex'),
    isCvv('12a', undefined),
    isCvv('', undefined),
  ]).toEqual([false, false, false, false]);
});

test('a card is good through its month', () => {
  const today = { month: 11, year: 2026 };
  expect(isCardExpired({ month: 11, year: 2026 }, today)).toBe(false);
  expect(isCardExpired({ month: 10, year: 2026 }, today)).toBe(true);
  expect(isCardExpired({ month: 12, year: 2025 }, today)).toBe(true);
  expect(isCardExpired({ month: 1, year: 2027 }, today)).toBe(false);
});

// Shows fact 2.70.
test('all but the last 3 characters are hidden', () => {
  expect(maskCardNumber('4242')).toBe(`${'•'.repeat(13)}242`);
});
