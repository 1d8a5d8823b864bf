import * as v from 'valibot';
import { expect, test } from 'vitest';
import { addSubscription } from './checkout.ts';

const good = {
  userId: '01930000-0000-7000-8000-000000000001',
  igUsername: 'bluebottle',
  packageIndex: '3',
  ccName: 'Ada Lovelace',
  ccNum: '4242 4242 4242 4242',
  ccMonth: '01',
  ccYear: '2030',
  cvv: '123',
  address: '1 Main Street',
  apartment: '',
  zip: '10001',
  city: 'New York',
  state: 'NY',
  country: 'US',
  phone: '(555) 010-0100',
};

const messagesOf = (input: Record<string, unknown>): Record<string, string> => {
  const result = v.safeParse(addSubscription.input, input);
  const issues = result.success ? [] : result.issues;
  return Object.fromEntries(
    issues.map((issue) => [v.getDotPath(issue) ?? '', issue.message] as const).reverse(),
  );
};

// Shows facts 3.13, 3.15.
test('a complete submit is accepted; numbers may come as digits, unknown keys are dropped', () => {
  expect(v.parse(addSubscription.input, { ...good, ipAddress: '1.2.3.4', '-state': 'NY' })).toEqual(
    {
      ...good,
      packageIndex: 3,
      ccNum: '4242424242424242',
      ccMonth: 1,
      ccYear: 2030,
      phone: '5550100100',
      timeZone: 'UTC',
      forAllPlans: false,
    },
  );
});

test.each([
  ['ccName', '', 'Please enter a cardholder name'],
  ['ccName', '4242 4242', 'Cardholder name is invalid'],
  ['ccNum', '', 'Please enter a card number'],
  ['ccNum', '4242 4242 4242 4241', 'Card number is invalid'],
  ['ccNum', '42424242424242424', 'Credit card number max length reached'],
  ['ccMonth', '', 'Please enter a month'],
  ['ccMonth', '13', 'Please enter a month'],
  ['ccYear', '2035', 'Please enter a year'],
  ['cvv', '', 'Please enter a CVV/CVC code'],
  ['cvv', '12', 'CVV/CVC code is invalid'],
  ['cvv', '1234', 'CVV/CVC code is invalid'],
  ['address', ' ', 'Please enter an address'],
  ['zip', '', 'Please enter a zip/postal code'],
  ['zip', '1000', 'Please enter a zip/postal code'],
  ['state', '', 'Please enter a state'],
  ['city', '', 'Please enter a city/town'],
  ['country', 'XX', 'Please enter a country'],
  ['phone', '555', 'Please enter a phone number'],
  ['packageIndex', '10', 'Please choose a plan'],
])('%s "%s" is refused with "%s"', (field, value, message) => {
  expect(messagesOf({ ...good, [field]: value })).toEqual({ [field]: message });
});

// Shows facts 5.17, 5.18, 5.21.
test('each required field left out is named', () => {
  const { apartment: _, ...required } = good;
  for (const field of Object.keys(required)) {
    const { [field]: _left, ...rest } = required as Record<string, unknown>;
    expect(Object.keys(messagesOf(rest))).toEqual([field]);
  }
});

// Shows fact 5.16.
test('outside the US a postal code may have letters, spaces and hyphens', () => {
  expect(messagesOf({ ...good, country: 'GB', zip: 'SW1A 1AA' })).toEqual({});
  expect(messagesOf({ ...good, country: 'GB', zip: '-1' })).toEqual({
    zip: 'Please enter a zip/postal code',
  });
});

test.each([
  ['\u200Fعادل محمد', 'عادل محمد'],
  ['علی\u200Cرضا', 'علی\u200Cرضا'],
  ['Ada\u00A0Lovelace', 'Ada Lovelace'],
  ['Anne\u2011Marie', 'Anne-Marie'],
  ['\u202AAda Lovelace\u202C', 'Ada Lovelace'],
  ['Smith, Jr', 'Smith, Jr'],
])('a cardholder pasted as %j is %j', (pasted, name) => {
  expect(v.parse(addSubscription.input, { ...good, ccName: pasted }).ccName).toBe(name);
});

test('a cardholder of invisible marks alone is refused', () => {
  expect(messagesOf({ ...good, ccName: '\u200F\u200F' })).toEqual({
    ccName: 'Cardholder name is invalid',
  });
});
