import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { LIMITS } from '#server/identity/limits/rate-limit.ts';
import { createApp } from '#server/main/app.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { filledForm } from '#test/checkout-fixture.ts';
import { type Customer, PASSWORD, registerCustomer } from '#test/people/customers.ts';
import { countUses } from '#test/people/counted-uses.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import type { SubscriptionForm } from '#server/money/checkout/add-subscription.service.ts';

let deps: TestDeps;
let app: Hono;
let ada: Customer;
let bob: Customer;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
  ada = await registerCustomer(app, deps, 'ada');
  bob = await registerCustomer(app, deps, 'bob');
});
afterAll(() => deps.database.close());

const formOf = ({ user }: Customer, changes: Partial<SubscriptionForm> = {}): SubscriptionForm =>
  filledForm({ userId: user.id, igUsername: user.defaultIgUsername }, changes);
const CALL = CALLS.addSubscription;
const charges = () => deps.database.db.selectFrom('charge').select('id').execute();

test('without a session there is no checkout', async () => {
  const { httpStatus, body } = await new ApiClient(app).call(CALL, formOf(ada));
  expect([httpStatus, body.code]).toEqual([401, 'no_session']);
});

test('another customer’s id or account is refused and nobody is charged', async () => {
  const asBob = await ada.client.call(CALL, formOf(bob));
  expect([asBob.httpStatus, asBob.body.code]).toEqual([403, 'not_yours']);
  const theirs = await ada.client.call(CALL, { ...formOf(ada), igUsername: 'bob' });
  expect([theirs.httpStatus, theirs.body.code]).toEqual([404, 'not_found']);
  expect(await charges()).toEqual([]);
});

const badFields: Array<[field: string, value: unknown, message: string]> = [
  ['ccName', '', 'Please enter a cardholder name'],
  ['ccName', '12345', 'Cardholder name is invalid'],
  ['ccNum', '', 'Please enter a card number'],
  ['ccNum', '4242424242424241', 'Card number is invalid'],
  ['ccNum', '42424242424242424', 'Credit card number max length reached'],
  ['ccMonth', undefined, 'Please enter a month'],
  ['ccYear', 2050, 'Please enter a year'],
  ['cvv', '', 'Please enter a CVV/CVC code'],
  ['cvv', '12', 'CVV/CVC code is invalid'],
  ['address', ' ', 'Please enter an address'],
  ['zip', 'ABC', 'Please enter a zip/postal code'],
  ['city', '', 'Please enter a city/town'],
  ['state', '', 'Please enter a state'],
  ['country', 'XX', 'Please enter a country'],
  ['phone', '123', 'Please enter a phone number'],
  ['packageIndex', 10, 'Please choose a plan'],
];
// Shows facts 5.17, 5.25.
test.each(badFields)('%s %j is answered beside its field', async (field, value, message) => {
  const form = { ...formOf(ada), [field]: value };
  const { httpStatus, body } = await ada.client.call(CALL, form);
  expect([httpStatus, body.code, body.message]).toEqual([400, 'invalid_input', message]);
  expect(body.fields).toMatchObject({ [field]: message });
  expect(await charges()).toEqual([]);
});

test('malformed, foreign and oversize bodies are refused before anything is done', async () => {
  const send = (body: string, type = 'application/json') =>
    ada.client.send(CALL.path, { method: 'POST', headers: { 'content-type': type }, body });
  expect((await send('{"userId":')).status).toBe(400);
  expect((await send('userId=1', 'application/x-www-form-urlencoded')).status).toBe(415);
  expect((await send(JSON.stringify({ ccName: 'x'.repeat(70_000) }))).status).toBe(413);
  expect(await charges()).toEqual([]);
});

test('each refusal has its status', async () => {
  const expired = await ada.client.call(CALL, formOf(ada, { ccMonth: 1, ccYear: 2026 }));
  expect([expired.httpStatus, expired.body.code]).toEqual([400, 'card_invalid']);
  const amount = await ada.client.call(CALL, formOf(ada, { amount: 1 }));
  expect([amount.httpStatus, amount.body.code]).toEqual([400, 'amount_mismatch']);
  const declined = await ada.client.call(CALL, formOf(ada, { ccNum: '4000000000000002' }));
  expect(declined.httpStatus).toBe(402);
  expect(declined.body).toEqual({
    status: 'error',
    code: 'card_declined',
    message: 'Unable to process the payment',
  });
  const poor = await ada.client.call(CALL, formOf(ada, { ccNum: '4000000000009995' }));
  expect([poor.httpStatus, poor.body.code]).toEqual([402, 'insufficient_funds']);
});

// Shows facts 3.13, 3.14, 7.11.
test('the form as the screens send it, spaces, extra keys and digits as text, is paid once', async () => {
  const form = {
    ...formOf(bob, { ccNum: '5555 5555 5555 4444', amount: 17 }),
    ccMonth: '12',
    packageIndex: '2',
    ipAddress: '203.0.113.7',
    '-state': 'NY',
    '-apartment': '',
  } as unknown as SubscriptionForm;
  const headers = { 'idempotency-key': '7b0c6a52-5f7e-4f6e-9d5a-0d3f5f1c2b1a' };
  const first = await bob.client.call(CALL, form, headers);
  expect(first.httpStatus).toBe(200);
  expect(first.body.data).toMatchObject({
    inSubscription: true,
    connectedAccounts: [{ igUsername: 'bob', accountPackageId: 2 }],
    billingInfo: { ccNum: '•••••••••••••444' },
  });
  const repeat = await bob.client.call(CALL, form, headers);
  expect(repeat.body).toEqual(first.body);
  const other = await bob.client.call(CALL, formOf(bob), headers);
  expect([other.httpStatus, other.body.code]).toEqual([409, 'idempotency_conflict']);
  const again = await bob.client.call(CALL, formOf(bob));
  expect([again.httpStatus, again.body.code]).toEqual([409, 'account_already_subscribed']);
  expect(deps.gateway.charges.filter(({ state }) => state === 'succeeded')).toHaveLength(1);
});

test('without a key a double click is charged once, and buying again what was stopped is another purchase', async () => {
  const cleo = await registerCustomer(app, deps, 'cleo');
  const succeeded = () => deps.gateway.charges.filter(({ state }) => state === 'succeeded').length;
  const before = succeeded();
  const doubleClick = async () => {
    const clicks = await Promise.all([1, 2].map(() => cleo.client.call(CALL, formOf(cleo))));
    return [...clicks, await cleo.client.call(CALL, formOf(cleo))].map(({ httpStatus, body }) => [
      httpStatus,
      body.data?.inSubscription,
    ]);
  };
  const paid = [200, true];
  expect(await doubleClick()).toEqual([paid, paid, paid]);
  expect(succeeded() - before).toBe(1);
  const account = { userId: cleo.user.id, igUsername: 'cleo' };
  expect((await cleo.client.call(CALLS.stopSubscription, account)).httpStatus).toBe(200);
  expect(await doubleClick()).toEqual([paid, paid, paid]);
  expect(succeeded() - before).toBe(2);
  const { body } = await cleo.client.call(CALLS.findUser, { userId: cleo.user.id });
  expect(body.data?.connectedAccounts[0]?.subscriptionState).toBe('Active');
});

test('a lost answer is a 503 that says not to pay again, and when to ask', async () => {
  const form = formOf(ada, { ccNum: '4000000000000119' });
  const { httpStatus, body, headers } = await ada.client.call(CALL, form);
  expect(httpStatus).toBe(503);
  expect(body).toEqual({
    status: 'error',
    code: 'payment_unknown',
    message: 'Your payment is being checked. Please do not pay again.',
  });
  expect(headers.get('retry-after')).toBe('5');
});

test('of one address thirty checkouts in ten minutes reach the gateway, whoever sends them', async () => {
  const declined = { ccNum: '4000000000000341' };
  const told: Array<string | undefined> = [];
  for (const name of ['o1', 'o2']) {
    const { user } = await registerCustomer(app, deps, name);
    const client = new ApiClient(app, { address: 'one-office' });
    await client.call(CALLS.login, { email: user.email, password: PASSWORD });
    const form = formOf({ client, user }, declined);
    const refused = await client.call(CALL, { ...form, amount: 1 });
    expect(refused.body.code).toBe('amount_mismatch');
    for (let n = 0; n < 9; n += 1) {
      const answer = await client.call(CALL, form, { 'idempotency-key': `${name}-${n}` });
      told.push(answer.body.code);
    }
    if (name === 'o1') await countUses(deps, LIMITS.checkoutAddress, 18);
  }
  expect(told).toEqual([...Array(12).fill('card_declined'), ...Array(6).fill('rate_limited')]);
  const elsewhere = await registerCustomer(app, deps, 'o5');
  expect((await elsewhere.client.call(CALL, formOf(elsewhere))).httpStatus).toBe(200);
});
