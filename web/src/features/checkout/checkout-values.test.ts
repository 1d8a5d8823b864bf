import * as v from 'valibot';
import { expect, test } from 'vitest';
import { addSubscription } from '#shared/contract/checkout.ts';
import { readZip, YEAR_OPTIONS } from '#web/components/card-values.ts';
import { userExample } from '#web/testing/examples.ts';
import {
  checkoutErrors,
  checkoutInput,
  type CheckoutValues,
  openingValues,
  PLAN_OPTIONS,
} from './checkout-values.ts';

const nowMs = Date.parse('2026-11-21T12:00:00Z');
const filled: CheckoutValues = {
  ...openingValues(userExample({ package: 3 })),
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
const errorsOf = (changes: Partial<CheckoutValues>) =>
  checkoutErrors({ ...filled, ...changes }, nowMs, 'UTC');

test('the form opens with the plan of the sign-up, the US and the known phone number', () => {
  expect(openingValues(userExample({ package: 3 }))).toMatchObject({
    plan: '3',
    country: 'US',
    phone: '5550100200',
  });
  expect(openingValues(null).plan).toBe('1');
});

test('all nine plans and the years 2024 to 2034 are offered', () => {
  expect(PLAN_OPTIONS.map((option) => option.value)).toEqual('1 2 3 4 5 6 7 8 9'.split(' '));
  expect(YEAR_OPTIONS.at(0)).toBe('2024');
  expect(YEAR_OPTIONS.at(-1)).toBe('2034');
});

test('a filled form may be sent, and the contract takes what is sent', () => {
  expect(errorsOf({})).toEqual({});
  const input = checkoutInput(filled, {
    userId: userExample().id,
    igUsername: 'ada.paints',
    timeZone: 'Europe/Berlin',
  });
  expect(v.safeParse(addSubscription.input, input).success).toBe(true);
  expect(input).toMatchObject({ packageIndex: 3, amount: 24 });
});

test('an empty form has the sentence of the specification beside every required field', () => {
  const empty = Object.fromEntries(Object.keys(filled).map((field) => [field, '']));
  expect(checkoutErrors(empty as unknown as CheckoutValues, nowMs, 'UTC')).toEqual({
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

test('a card is refused after its month and taken within it', () => {
  expect(errorsOf({ ccMonth: '10' })).toEqual({
    ccYear: 'The selected date must be in the future.',
  });
  expect(errorsOf({ ccYear: '2025', ccMonth: '12' })).toHaveProperty('ccYear');
  expect(errorsOf({ ccMonth: '11' })).toEqual({});
});

test('the month turns where the customer is', () => {
  const newYearInTokyo = Date.parse('2026-11-30T20:00:00Z');
  expect(checkoutErrors(filled, newYearInTokyo, 'UTC')).toEqual({});
  expect(checkoutErrors(filled, newYearInTokyo, 'Asia/Tokyo')).toHaveProperty('ccYear');
});

test.each([
  [{ ccNum: '4242424242424241' }, { ccNum: 'Card number is invalid' }],
  [{ ccName: '4242' }, { ccName: 'Cardholder name is invalid' }],
  [{ cvv: '12' }, { cvv: 'CVV/CVC code is invalid' }],
  [{ cvv: '1234' }, { cvv: 'CVV/CVC code is invalid' }],
  [{ zip: '9410' }, { zip: 'Please enter a zip/postal code' }],
])('%j is refused beside its field', (changes, errors) => {
  expect(errorsOf(changes)).toEqual(errors);
});

test('an amex card has four digits on it, and a British zip code has letters', () => {
  expect(errorsOf({ ccNum: '378282246310005', cvv: '1234' })).toEqual({});
  expect(errorsOf({ country: 'GB', zip: 'SW1A 1AA' })).toEqual({});
});

test('a zip code takes five digits in the US and letters elsewhere', () => {
  expect(readZip('US', '94a1034')).toBe('94103');
  expect(readZip('GB', 'SW1A 1AA')).toBe('SW1A 1AA');
});
