import { expect, test } from 'vitest';
import { userExample } from '#web/testing/examples.ts';
import {
  cardErrors,
  type CardValues,
  MONTH_OPTIONS,
  openingCardValues,
  readZip,
  YEAR_OPTIONS,
} from './card-values.ts';

const nowMs = Date.parse('2026-11-21T12:00:00Z');
const filled: CardValues = {
  ...openingCardValues(userExample()),
  ccName: 'Ada Lovelace',
  ccNum: '4242424242424242',
  ccMonth: '11',
  ccYear: '2026',
  cvv: '123',
  address: '1 Harbour Street',
  zip: '94103',
  city: 'San Francisco',
  state: 'CA',
};
const errorsOf = (changes: Partial<CardValues>) =>
  cardErrors({ ...filled, ...changes }, nowMs, 'UTC');

test('the form opens with the US, the known name and the known phone number', () => {
  expect(openingCardValues(userExample())).toMatchObject({
    ccName: 'Ada',
    country: 'US',
    phone: '5550100200',
  });
  expect(openingCardValues(null, 'DE')).toMatchObject({ ccName: '', country: 'DE', phone: '' });
});

test('the months 01 to 12 and the years 2024 to 2034 are offered', () => {
  expect(MONTH_OPTIONS.join(' ')).toBe('01 02 03 04 05 06 07 08 09 10 11 12');
  expect([YEAR_OPTIONS.at(0), YEAR_OPTIONS.at(-1), YEAR_OPTIONS.length]).toEqual([
    '2024',
    '2034',
    11,
  ]);
});

// Shows facts 5.17, 5.21.
test('an empty form has the sentence of the specification beside every required field', () => {
  const empty = Object.fromEntries(Object.keys(filled).map((field) => [field, '']));
  expect(cardErrors(empty as unknown as CardValues, nowMs, 'UTC')).toEqual({
    ccName: 'Please enter a cardholder name',
    ccNum: 'Please enter a card number',
    ccMonth: 'Please enter a month',
    ccYear: 'Please enter a year',
    cvv: 'Please enter a CVV/CVC code',
    address: 'Please enter an address',
    zip: 'Please enter a zip/postal code',
    city: 'Please enter a city/town',
    state: 'Please enter a state',
    country: 'Please enter a country',
    phone: 'Please enter a phone number',
  });
});

// Shows fact 5.13.
test('a card is refused after its month and taken within it', () => {
  expect(errorsOf({})).toEqual({});
  expect(errorsOf({ ccMonth: '10' })).toEqual({
    ccYear: 'The selected date must be in the future.',
  });
  expect(errorsOf({ ccYear: '2025', ccMonth: '12' })).toHaveProperty('ccYear');
});

test('the month turns where the customer is', () => {
  const newMonthInTokyo = Date.parse('2026-11-30T20:00:00Z');
  expect(cardErrors(filled, newMonthInTokyo, 'UTC')).toEqual({});
  expect(cardErrors(filled, newMonthInTokyo, 'Asia/Tokyo')).toHaveProperty('ccYear');
});

test.each([
  [{ ccNum: '4242424242424241' }, { ccNum: 'Card number is invalid' }],
  [{ ccName: '4242' }, { ccName: 'Cardholder name is invalid' }],
  [{ ccName: 'a'.repeat(101) }, { ccName: 'Please use at most 100 characters' }],
  [{ cvv: '12' }, { cvv: 'CVV/CVC code is invalid' }],
  [{ cvv: '1234' }, { cvv: 'CVV/CVC code is invalid' }],
  [{ zip: '9410' }, { zip: 'Please enter a zip/postal code' }],
])('%j is refused beside its field', (changes, errors) => {
  expect(errorsOf(changes)).toEqual(errors);
});

test('names and streets may be written from right to left', () => {
  expect(errorsOf({ ccName: 'דנה לוי', address: 'רחוב הנמל 1', city: 'تل أبيب' })).toEqual({});
});

// Shows fact 5.15.
test('an amex card has four digits on it, and a British zip code has letters', () => {
  expect(errorsOf({ ccNum: '378282246310005', cvv: '1234' })).toEqual({});
  expect(errorsOf({ country: 'GB', zip: 'SW1A 1AA' })).toEqual({});
});

// Shows fact 5.16.
test('a zip code takes five digits in the US and letters elsewhere', () => {
  expect(readZip('US', '94a1034')).toBe('94103');
  expect(readZip('GB', 'SW1A 1AA')).toBe('SW1A 1AA');
});
