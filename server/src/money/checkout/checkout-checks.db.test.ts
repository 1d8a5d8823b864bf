import { afterAll, beforeAll, expect, test } from 'vitest';
import * as v from 'valibot';
import { CALLS } from '#shared/contract/calls.ts';
import { createNode, newShopper, wordOf } from '#test/checkout-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import type { SubscriptionForm } from './add-subscription.service.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

const contradictions: Array<[name: string, changes: Partial<SubscriptionForm>]> = [
  ['a_price', { price: 9.99 }],
  ['a_price_of_nothing', { price: 0 }],
  ['a_fraction_of_a_cent', { price: 17.001 }],
  ['a_price_beside_the_amount', { amount: 17, price: 16 }],
  ['an_amount_beside_the_price', { amount: 16, price: 17 }],
  ['credits', { credits: 500 }],
  ['credits_beside_the_price', { price: 17, credits: 1 }],
];

test.each(contradictions)(
  '%s the plan does not have is refused uncharged',
  async (name, changes) => {
    const submit = createNode(deps);
    const shopper = await newShopper(deps, name);
    const told = await submit(shopper, 'form', changes);
    expect(told).toMatchObject({
      kind: 'error',
      error: {
        code: 'amount_mismatch',
        message:
          'This plan costs $17.00. You were not charged. Please reload the page and check the price.',
      },
    });
    expect(deps.gateway.charges).toEqual([]);
  },
);

test('price and credits that agree with the plan are paid', async () => {
  const shopper = await newShopper(deps, 'agreeing');
  const told = await createNode(deps)(shopper, 'form', { amount: 17, price: 17, credits: 0 });
  expect(wordOf(told)).toBe('paid');
});

test('the call reads price and credits as numbers and as text, and neither as anything else', () => {
  const { price, credits } = CALLS.addSubscription.input.entries;
  expect([v.parse(price, '17.00'), v.parse(price, undefined)]).toEqual([17, undefined]);
  expect([v.parse(credits, '0'), v.parse(credits, undefined)]).toEqual([0, undefined]);
  expect(v.is(price, 'free')).toBe(false);
  expect(v.is(credits, 0.5)).toBe(false);
});
