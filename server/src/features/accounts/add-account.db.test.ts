import type { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/app.ts';
import { ApiClient } from '#test/api-client.ts';
import { type Customer, registerCustomer } from '#test/customers.ts';
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
  for (const cause of ['misspelt', 'changed', 'private', 'personal', 'age-restricted']) {
    expect(body.message).toContain(cause);
  }
  expect(await names()).not.toContain('nobody');
});

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
