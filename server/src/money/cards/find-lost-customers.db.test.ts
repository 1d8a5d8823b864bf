import type { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { createApp } from '#server/main/app.ts';
import { filledForm } from '#test/checkout-fixture.ts';
import { type Customer, PASSWORD, registerCustomer } from '#test/people/customers.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { findLostCustomers } from './detach-cards.job.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());
beforeEach(() => void (deps.logged.length = 0));

const buy = async ({ client, user }: Customer): Promise<string> => {
  const form = filledForm({ userId: user.id, igUsername: user.defaultIgUsername });
  const { body } = await client.call(CALLS.addSubscription, form);
  return body.code ?? 'paid';
};
/** A customer the gateway has made and nobody here has heard of. */
const newLost = async (name: string): Promise<Customer> => {
  const customer = await registerCustomer(app, deps, name);
  deps.gateway.loseAnswers(1);
  expect(await buy(customer)).toBe('payment_unavailable');
  expect(atGateway(customer)).toHaveLength(1);
  return customer;
};
const atGateway = ({ user }: Customer): string[] =>
  [...deps.gateway.customers].filter(([, email]) => email === user.email).map(([id]) => id);
const requests = async (): Promise<string[]> =>
  (await deps.database.db.selectFrom('customer_request').select('email').execute()).map(
    ({ email }) => email,
  );
const keptOf = async ({ user }: Customer): Promise<string[]> => {
  const kept = await deps.database.db
    .selectFrom('gateway_customer')
    .innerJoin('app_user', 'app_user.workspace_id', 'gateway_customer.workspace_id')
    .select('gateway_customer_id')
    .where('app_user.id', '=', user.id)
    .execute();
  return kept.map(({ gateway_customer_id: id }) => id);
};

test('a customer whose answer was lost is found again and is the one of the next checkout', async () => {
  const ada = await newLost('ada');
  // Not while the checkout that asked for it may still be under way.
  await findLostCustomers(deps);
  expect(await keptOf(ada)).toEqual([]);
  deps.clock.advance(2 * MINUTE_MS);
  await findLostCustomers(deps);
  expect(await keptOf(ada)).toEqual(atGateway(ada));
  expect(await buy(ada)).toBe('paid');
  expect(atGateway(ada)).toHaveLength(1);
  expect(await requests()).toEqual([]);
});

test('of two, the one made after the first one’s answer was lost stays', async () => {
  const bo = await newLost('bo');
  expect(await buy(bo)).toBe('paid');
  expect(atGateway(bo)).toHaveLength(2);
  deps.clock.advance(2 * MINUTE_MS);
  await findLostCustomers(deps);
  expect(atGateway(bo)).toEqual(await keptOf(bo));
  expect(await requests()).toEqual([]);
});

test('the gateway forgets it with a customer who left before it was found, however often it is asked', async () => {
  const cai = await newLost('cai');
  const input = { userId: cai.user.id, password: PASSWORD };
  expect((await cai.client.call(CALLS.deleteAccount, input)).httpStatus).toBe(200);
  deps.clock.advance(2 * MINUTE_MS);
  deps.gateway.queueFailure({ kind: 'unknown', reason: 'reset' });
  await findLostCustomers(deps);
  expect(atGateway(cai)).toHaveLength(1);
  expect(deps.logged.at(-1)).toMatchObject({ severity: 'error', fields: { reason: 'reset' } });
  await findLostCustomers(deps);
  expect(atGateway(cai)).toHaveLength(1);
  deps.clock.advance(2 * MINUTE_MS);
  await findLostCustomers(deps);
  expect(atGateway(cai)).toEqual([]);
  expect(await requests()).toEqual([]);
});

test('nothing is looked for after a checkout that was answered, paid or refused', async () => {
  const dee = await registerCustomer(app, deps, 'dee');
  deps.gateway.queueFailure({ kind: 'rejected', reason: 'bad_key' });
  expect(await buy(dee)).toBe('payment_unavailable');
  expect(await requests()).toEqual([]);
  expect(await buy(dee)).toBe('paid');
  expect(await requests()).toEqual([]);
});
