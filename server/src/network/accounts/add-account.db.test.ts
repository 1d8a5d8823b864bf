import type { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { type Customer, PASSWORD, registerCustomer, registration } from '#test/people/customers.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
let ada: Customer;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
  ada = await registerCustomer(app, deps, 'ada');
});
afterAll(() => deps.database.close());
beforeEach(() => deps.clock.advance(60_000));

const add = (igUsername: string, customer = ada) =>
  customer.client.call(CALLS.addAccount, { userId: customer.user.id, igUsername });
const names = async () => {
  const { body } = await ada.client.call(CALLS.findConnectedAccounts, { userId: ada.user.id });
  return (body.data ?? []).map(({ igUsername }) => igUsername);
};

// Shows fact 7.05.
test('a name that is found is connected without a plan, however often it is sent', async () => {
  const { igId } = deps.network.addAccount('second');
  const answers = [await add(' @Second '), await add('second')];
  for (const { httpStatus, body } of answers) {
    expect(httpStatus).toBe(200);
    expect(body).toEqual({
      status: 'success',
      message: 'Instagram account found',
      data: { igUsername: 'second', igId },
    });
  }
  const { body } = await ada.client.call(CALLS.findConnectedAccounts, { userId: ada.user.id });
  expect(body.data?.filter(({ igUsername }) => igUsername === 'second')).toMatchObject([
    { igId, accountPackageId: null, subscriptionState: null, problem: null },
  ]);
});

test('ten requests at once connect it once', async () => {
  deps.network.addAccount('together');
  const answers = await Promise.all(Array.from({ length: 10 }, () => add('together')));
  expect(answers.map(({ httpStatus }) => httpStatus)).toEqual(
    Array.from({ length: 10 }, () => 200),
  );
  expect((await names()).filter((name) => name === 'together')).toHaveLength(1);
});

test('a name the network shows nothing of is refused, with every cause named', async () => {
  const { httpStatus, body } = await add('nobody');
  expect(httpStatus).toBe(404);
  expect(body).toMatchObject({ status: 'error', code: 'account_unreadable' });
  for (const cause of ['misspelled', 'changed', 'private', 'personal', 'age-restricted']) {
    expect(body.message).toContain(cause);
  }
  expect(await names()).not.toContain('nobody');
});

test('whoever has made their account readable is found ten seconds later', async () => {
  expect((await add('opened')).httpStatus).toBe(404);
  deps.network.addAccount('opened');
  deps.clock.advance(9000);
  expect((await add('opened')).httpStatus).toBe(404);
  deps.clock.advance(1000);
  expect((await add('opened')).httpStatus).toBe(200);
});

// Shows facts 1.16, 2.07, 2.56, 2.83, 4.05, 8.10, 8.11.
test('throttled and unreachable are told apart, and connect nothing', async () => {
  deps.network.addAccount('patient');
  const usage = undefined;
  deps.network.queueRead({ kind: 'unreachable', reason: 'timeout', usage });
  const unreachable = await add('patient');
  expect(unreachable).toMatchObject({ httpStatus: 503, body: { code: 'network_unreachable' } });
  deps.network.queueRead({ kind: 'throttled', retryAfterMs: 30_000, usage });
  const throttled = await add('patient');
  expect(throttled).toMatchObject({ httpStatus: 503, body: { code: 'network_throttled' } });
  expect(Number(throttled.headers.get('retry-after'))).toBeGreaterThanOrEqual(30);
  expect(await names()).not.toContain('patient');
  deps.clock.advance(3_600_000);
  expect((await add('patient')).httpStatus).toBe(200);
});

test('an account renamed on the network is recognised as the one that is connected', async () => {
  const { igId } = deps.network.addAccount('before');
  await add('before');
  deps.network.rename('before', 'after');
  expect((await add('after')).body.data).toEqual({ igUsername: 'before', igId });
  expect(await names()).not.toContain('after');
});

test('a name that passed to another account doesn’t replace the connected one', async () => {
  deps.network.addAccount('taken');
  await add('taken');
  deps.network.rename('taken', 'moved-away');
  deps.network.addAccount('taken');
  deps.clock.advance(60_000);
  expect(await add('taken')).toMatchObject({
    httpStatus: 404,
    body: { code: 'account_unreadable' },
  });
});

test('two customers may connect the same account', async () => {
  deps.network.addAccount('shared');
  const ben = await registerCustomer(app, deps, 'ben');
  expect((await add('shared')).httpStatus).toBe(200);
  expect((await add('shared', ben)).httpStatus).toBe(200);
});

test('sixty look-ups a minute, then a wait', async () => {
  const eve = await registerCustomer(app, deps, 'eve');
  const statuses = new Map<number, number>();
  for (let index = 0; index < 61; index += 1) {
    const { httpStatus } = await add('nobody', eve);
    statuses.set(httpStatus, (statuses.get(httpStatus) ?? 0) + 1);
  }
  expect(Object.fromEntries(statuses)).toEqual({ 404: 60, 429: 1 });
});

test('strangers are refused: no session, another customer’s id, an ended session', async () => {
  deps.network.addAccount('unwanted');
  const input = { userId: ada.user.id, igUsername: 'unwanted' };
  const anonymous = new ApiClient(app);
  expect((await anonymous.call(CALLS.addAccount, input)).httpStatus).toBe(401);
  const mallory = await registerCustomer(app, deps, 'mallory');
  const foreign = await mallory.client.call(CALLS.addAccount, input);
  expect(foreign).toMatchObject({ httpStatus: 403, body: { code: 'not_yours' } });
  const token = mallory.client.cookie('ovation') ?? '';
  await mallory.client.call(CALLS.logout, {});
  mallory.client.setCookie('ovation', token);
  expect((await add('unwanted', mallory)).httpStatus).toBe(401);
  expect(await names()).not.toContain('unwanted');
});

test('what can’t be a username is named as such', async () => {
  const { httpStatus, body } = await add('two words');
  expect(httpStatus).toBe(400);
  expect(body.message).toContain('Please enter a username');
});

test('before the first payment 20 accounts a day are looked up, and the refusal says what to do', async () => {
  const eve = await registerCustomer(app, deps, 'eve.unpaid');
  const names = Array.from({ length: 21 }, (_, index) => `curious${index}`);
  const [{ igId: firstIgId } = { igId: '' }] = names.map((name) => deps.network.addAccount(name));
  for (const name of names.slice(0, 20)) expect((await add(name, eve)).httpStatus).toBe(200);
  const reads = deps.network.calls.length;
  const { httpStatus, body } = await add('curious20', eve);
  expect([httpStatus, body.code, body.message]).toEqual([
    429,
    'rate_limited',
    'Before your first payment you can look up 20 accounts a day. Please try again in 24 hours, or choose a plan for an account you’ve connected.',
  ]);
  // Nor are posts read live of an account that has none.
  const posts = await eve.client.call(CALLS.getPosts, { igId: firstIgId });
  expect(posts.body).toMatchObject({ code: 'rate_limited' });
  // Repeats within a minute take nothing.
  expect((await add('curious0', eve)).httpStatus).toBe(200);
  expect(deps.network.calls).toHaveLength(reads);
  await payPlan(deps, eve);
  expect((await add('curious20', eve)).httpStatus).toBe(200);
});

test('one address looks 60 accounts up a day, whoever asks; who signs up then is accepted', async () => {
  const address = '203.0.113.60';
  const names = Array.from({ length: 60 }, (_, index) => `shared${index}`);
  for (const name of names) deps.network.addAccount(name);
  const customers = await Promise.all(
    ['a', 'b', 'c', 'd'].map(async (name) => {
      const { user } = await registerCustomer(app, deps, `office.${name}`);
      const client = new ApiClient(app, { address });
      await client.call(CALLS.login, { email: user.email, password: PASSWORD });
      return { user, client };
    }),
  );
  const answers: number[] = [];
  for (const [index, name] of names.entries()) {
    const customer = customers[index % 3];
    if (customer) answers.push((await add(name, customer)).httpStatus);
  }
  expect(new Set(answers)).toEqual(new Set([200]));
  expect(await add('patient', customers[3])).toMatchObject({
    httpStatus: 429,
    body: { message: expect.stringContaining('from your network today') },
  });
  const reads = deps.network.calls.length;
  const late = new ApiClient(app, { address });
  const registered = await late.call(CALLS.register, registration('late.office'));
  expect(registered.body.data?.connectedAccounts).toMatchObject([{ problem: 'throttled' }]);
  expect(deps.network.calls).toHaveLength(reads);
});
