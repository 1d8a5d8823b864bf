import { expect, test } from 'vitest';
import { register } from '#shared/contract/people/user.ts';
import { fieldErrors } from '#web/ui/forms/field-errors.ts';
import {
  digitsOnly,
  firstPackage,
  planOfCard,
  SIGNUP_PLANS,
  type SignupValues,
  usernameOfVisitor,
} from './signup-form.ts';

const filled: SignupValues = {
  name: 'Ada',
  email: 'ada@example.com',
  password: 'correct horse',
  igUsername: '@Ada.Paints',
  phone: '5550100200',
  package: '3',
};

// Shows fact 2.41.
test('the select offers the first seven plans with likes and price', () => {
  expect(SIGNUP_PLANS).toHaveLength(7);
  expect(SIGNUP_PLANS[1]).toEqual({ value: '2', label: '100 likes per post, $17.00 a month' });
});

// Shows fact 5.02.
test('a phone number loses everything but its digits', () => {
  expect(digitsOnly('+1 (555) 010-0200')).toBe('15550100200');
});

test('a filled form has no errors', () => {
  expect(fieldErrors(register.input, filled)).toEqual({});
});

// Shows fact 5.01.
test('each field says what is wrong in the words of the specification', () => {
  expect(fieldErrors(register.input, { ...filled, email: 'ada@', phone: '555010020' })).toEqual({
    email: 'Please enter a valid email address',
    phone: 'Phone number must be at least 10 characters',
  });
});

test('an empty form has a sentence beside every field', () => {
  const empty = { name: '', email: '', password: '', igUsername: '', phone: '', package: '' };
  expect(Object.keys(fieldErrors(register.input, empty)).sort()).toEqual(Object.keys(empty).sort());
});

test('a price card’s plan is chosen already; plans 8 and 9 wait for the checkout', () => {
  expect(planOfCard('3')?.likes).toBe(250);
  expect(firstPackage(planOfCard('3'))).toBe('3');
  expect(firstPackage(planOfCard('9'))).toBe('7');
  expect([null, '', '0', '10', 'x'].map(planOfCard)).toEqual(Array(5).fill(undefined));
  expect(firstPackage(undefined)).toBe('1');
});

test.each([
  [null, ''],
  ['@Ada.Paints', 'ada.paints'],
  [' ada.paints ', 'ada.paints'],
  ['https://www.instagram.com/ada.paints/?hl=en', 'ada.paints'],
  ['instagram.com/ada.paints', 'ada.paints'],
  ['no name at all', 'no name at all'],
])('what a visitor typed, %j, stands in the form as %j', (typed, shown) => {
  expect(usernameOfVisitor(typed)).toBe(shown);
});
