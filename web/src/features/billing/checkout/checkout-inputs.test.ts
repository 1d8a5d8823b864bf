import * as v from 'valibot';
import { expect, test } from 'vitest';
import { addSubscription, addSubscriptionWithSavedCard } from '#shared/contract/money/checkout.ts';
import { buyCredits, buyCreditsWithSavedCard } from '#shared/contract/money/credits.ts';
import { openingCardValues } from '#web/payments/card/card-values.ts';
import { userExample } from '#web/testing/examples.ts';
import {
  packageValueIn,
  packCall,
  packInput,
  packNamed,
  planCall,
  planInput,
  planNamed,
} from './checkout-inputs.ts';

const user = userExample();
const card = {
  ...openingCardValues(user),
  ccName: 'Ada Lovelace',
  ccNum: '4242424242424242',
  ccMonth: '11',
  ccYear: '2030',
  cvv: '123',
  address: '1 Harbour Street',
  zip: '94103',
  city: 'San Francisco',
  state: 'CA',
  forAllPlans: true as const,
};

test('a plan is sent with its number and the price that was shown, as the contract takes it', () => {
  const customer = { userId: user.id, igUsername: 'ada.paints', timeZone: 'Europe/Berlin' };
  const input = planInput(card, planNamed(3), customer);
  expect(v.safeParse(addSubscription.input, input).success).toBe(true);
  expect(input).toMatchObject({ packageIndex: 3, amount: 24, igUsername: 'ada.paints' });
});

test('a package is sent with its credits and the price that was shown, as the contract takes it', () => {
  const pack = packNamed({ credits: 7500 });
  if (!pack) throw new Error('There is a package of 7,500 credits.');
  const input = packInput(card, pack, user.id);
  expect(v.safeParse(buyCredits.input, input).success).toBe(true);
  expect(input).toMatchObject({ credits: 7500, amount: 29 });
});

test('the saved card is sent as it was shown, in place of a card, to the call that takes it', () => {
  const saved = { savedCard: '•••••••••••••242' };
  const customer = { userId: user.id, igUsername: 'ada.paints', timeZone: 'Europe/Berlin' };
  const plan = planInput(saved, planNamed(3), customer);
  expect(planCall(plan)).toBe(addSubscriptionWithSavedCard);
  expect(v.safeParse(addSubscriptionWithSavedCard.input, plan).success).toBe(true);
  const pack = packNamed({ credits: 7500 });
  if (!pack) throw new Error('There is a package of 7,500 credits.');
  const input = packInput(saved, pack, user.id);
  expect(packCall(input)).toBe(buyCreditsWithSavedCard);
  expect(v.safeParse(buyCreditsWithSavedCard.input, input).success).toBe(true);
  expect(packCall(packInput(card, pack, user.id))).toBe(buyCredits);
  expect(planCall(planInput(card, planNamed(3), customer))).toBe(addSubscription);
});

// Shows fact 2.08.
test.each([null, '', '0', '10', '1.5', '-3', 'three', '003', ' 3'])(
  'a packageValue of %j means plan 1',
  (packageValue) => {
    expect(planNamed(packageValue).number).toBe(1);
  },
);

// Shows fact 2.08.
test.each([
  ['9', 9],
  [7, 7],
])('a packageValue of %j is the 1-based plan number', (packageValue, number) => {
  expect(planNamed(packageValue).number).toBe(number);
});

// Shows fact 2.06.
test.each([undefined, null, 'credits', {}, { credits: 2501 }, { credits: '2500' }])(
  'navigation state %j names no package',
  (state) => {
    expect(packNamed(state)).toBeUndefined();
  },
);

test('a plan that a navigation brings along is the one in its state', () => {
  expect(packageValueIn({ packageValue: 8 })).toBe(8);
  expect(packageValueIn({ packageValue: '3' })).toBe('3');
  for (const state of [null, undefined, 'text', {}, { packageValue: {} }]) {
    expect(packageValueIn(state)).toBeUndefined();
  }
});
