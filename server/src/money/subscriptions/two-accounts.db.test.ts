import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { setProblem } from '#server/network/accounts/reading.repository.ts';
import { recordUnread } from '../service-credit/subscription-interval.repository.ts';

/** Two accounts of one customer, each with a plan, the older one named first. */
let deps: TestDeps;
let customer: Customer;
beforeAll(async () => {
  deps = await createTestDeps();
  customer = await registerCustomer(createApp(deps), deps, 'older');
  deps.network.addAccount('newer');
  await customer.client.call(CALLS.addAccount, {
    userId: customer.user.id,
    igUsername: 'newer',
  });
  await payPlan(deps, customer, 'older');
  deps.clock.advance(60_000);
  await payPlan(deps, customer, 'newer');
});
afterAll(() => deps.database.close());

const states = async () => {
  const { body } = await customer.client.call(CALLS.findConnectedAccounts, {
    userId: customer.user.id,
  });
  return Object.fromEntries(
    (body.data ?? []).map((account) => [account.igUsername, account.subscriptionState]),
  );
};

test('of two accounts only the one that can’t be read has an interval without readings', async () => {
  const { db } = deps.database;
  const accounts = await db
    .selectFrom('account')
    .select(['id', 'workspace_id', 'ig_username'])
    .execute();
  const newer = accounts.find((account) => account.ig_username === 'newer');
  const of = { workspaceId: newer?.workspace_id ?? '', accountId: newer?.id ?? '' };
  await setProblem(db, { ...of, problem: 'unreadable', now: new Date(deps.clock.now()) });
  await recordUnread(db, new Date(deps.clock.now()));
  const logged = await db
    .selectFrom('subscription_interval')
    .innerJoin('subscription', 'subscription.id', 'subscription_interval.subscription_id')
    .select(['subscription.account_id', 'subscription_interval.kind'])
    .execute();
  expect(logged).toEqual([{ account_id: newer?.id, kind: 'unreadable' }]);
});

test('of two accounts the named one is stopped, also where the other’s plan is newer', async () => {
  const stopped = await customer.client.call(CALLS.stopSubscription, {
    userId: customer.user.id,
    igUsername: 'older',
  });
  expect(stopped.httpStatus).toBe(200);
  expect(await states()).toEqual({ older: 'Canceled', newer: 'Active' });
});
