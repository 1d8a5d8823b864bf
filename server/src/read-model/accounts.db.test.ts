import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import type { SubscriptionState } from '#shared/domain/money/subscription-state.ts';
import { createApp } from '#server/main/app.ts';
import { type Customer, registerCustomer, signUp } from '#test/people/customers.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

async function setState(user: Customer['user'], state: SubscriptionState): Promise<void> {
  await deps.database.db
    .updateTable('subscription')
    .set({ state })
    .where('ig_id', '=', user.defaultIgId)
    .execute();
}

const find = async ({ client, user }: Customer) =>
  (await client.call(CALLS.findUser, { userId: user.id })).body.data;

// Shows fact 7.04.
test('the accounts are the same list as in the customer', async () => {
  const ada = await signUp(app, deps, 'ada');
  const { body } = await ada.client.call(CALLS.findConnectedAccounts, { userId: ada.user.id });
  expect(body).toEqual({ status: 'success', data: ada.user.connectedAccounts });
});

test('a userId in capitals is still the customer’s own', async () => {
  const loud = await registerCustomer(app, deps, 'loud');
  const userId = loud.user.id.toUpperCase();
  expect((await loud.client.call(CALLS.findConnectedAccounts, { userId })).httpStatus).toBe(200);
});

// Shows facts 3.02, 3.03.
test('after the payment the account shows its plan, its dates and the masked card', async () => {
  const paying = await registerCustomer(app, deps, 'paying');
  await payPlan(deps, paying);
  const user = await find(paying);
  expect(user).toMatchObject({
    inSubscription: true,
    connectedAccounts: [
      {
        accountPackageId: 2,
        subscriptionState: 'Active',
        accountPackageSubsriptionDate: '2026-11-20T12:00:00.000Z',
        nextBillingDate: '2026-12-20T12:00:00.000Z',
      },
    ],
    billingInfo: { ccName: 'Ada Example', ccMonth: '12', ccYear: '2030' },
    creditsTransactions: [{ price: 17, igUsername: 'paying' }],
  });
  expect(user?.billingInfo?.ccNum).toMatch(/^\D+242$/);
  expect(JSON.stringify(user)).not.toContain('4242');
});

test.each([
  ['Paused', true],
  ['Past due', true],
  ['Canceled', false],
  ['Expired', false],
] as const)('a subscription that is %s leaves inSubscription %s', async (state, isIn) => {
  const name = `state.${state.replace(' ', '').toLowerCase()}`;
  const customer = await registerCustomer(app, deps, name);
  await payPlan(deps, customer);
  await setState(customer.user, state);
  const user = await find(customer);
  expect(user?.inSubscription).toBe(isIn);
  expect(user?.connectedAccounts).toMatchObject([
    { subscriptionState: state, accountPackageId: isIn ? 2 : null },
  ]);
});
