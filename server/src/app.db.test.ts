import type { Hono } from 'hono';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Call } from '#shared/contract/call.ts';
import { CALLS } from '#shared/contract/calls.ts';
import { ApiClient } from '#test/api-client.ts';
import { type Customer, PASSWORD, registerCustomer } from '#test/customers.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { createApp } from './app.ts';

let deps: TestDeps;
let app: Hono;
let ada: Customer;
let eve: Customer;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
  ada = await registerCustomer(app, deps, 'ada');
  eve = await registerCustomer(app, deps, 'eve');
});
afterAll(() => deps.database.close());

const CARD = {
  ccName: 'Ada Example',
  ccNum: '4242 4242 4242 4242',
  ccMonth: '12',
  ccYear: '2030',
  cvv: '123',
  address: '1 Analytical Way',
  zip: '12345',
  city: 'Springfield',
  state: 'Ohio',
  country: 'US',
  phone: '5550100199',
};

/**
 * For every call that needs a session: an input of Ada's that passes the contract. A new call without
 * one fails below, so that nobody forgets to say what another customer may not reach.
 */
const INPUTS_OF_ADA: Record<string, () => Record<string, unknown>> = {
  findUser: () => ({ userId: ada.user.id }),
  findConnectedAccounts: () => ({ userId: ada.user.id }),
  getPosts: () => ({ igId: ada.user.defaultIgId }),
  findLikeOrders: () => ({ igId: ada.user.defaultIgId }),
  findTransactions: () => ({ userId: ada.user.id }),
  findLedger: () => ({ userId: ada.user.id }),
  addLikeOrder: () => ({
    userId: ada.user.id,
    igUsername: 'ada',
    postId: '101',
    shortCode: 'C101',
    likes: 20,
  }),
  buyCredits: () => ({ userId: ada.user.id, credits: 2500, amount: 10, ...CARD }),
  addSubscription: () => ({ userId: ada.user.id, igUsername: 'ada', packageIndex: 1, ...CARD }),
};

const calls: Array<[string, Call]> = Object.entries(CALLS);
const guarded = calls.filter(([, call]) => call.session === 'required');

const send = (client: ApiClient, call: Call, input: unknown) => client.call(call, input);

test.each(calls)('%s has a route', (_name, call) => {
  const routes = app.routes.filter(({ path }) => path === call.path);
  expect(routes.map(({ method }) => method)).toContain(call.method);
});

describe.each(guarded)('%s', (name, call) => {
  const input = (): Record<string, unknown> => {
    const make = INPUTS_OF_ADA[name];
    if (!make) throw new Error(`Say in INPUTS_OF_ADA what ${name} is asked for`);
    return make();
  };

  test('refuses who isn’t signed in', async () => {
    for (const body of [input(), {}]) {
      const answer = await send(new ApiClient(app), call, body);
      expect(answer.httpStatus).toBe(401);
      expect(answer.body).toEqual({
        status: 'error',
        code: 'no_session',
        message: 'Please log in to continue.',
      });
    }
  });

  test('refuses a made-up token', async () => {
    for (const token of ['A'.repeat(43), 'x', '', '../../etc', '%00']) {
      const client = new ApiClient(app);
      client.setCookie('ovation', token);
      expect((await send(client, call, input())).httpStatus).toBe(401);
    }
  });

  test('refuses another customer, who changes nothing', async () => {
    const before = await ada.client.call(CALLS.findUser, { userId: ada.user.id });
    const answer = await send(eve.client, call, input());
    expect(answer.httpStatus).toBe(403);
    expect(answer.body).toMatchObject({ status: 'error', code: 'not_yours' });
    const after = await ada.client.call(CALLS.findUser, { userId: ada.user.id });
    expect(after.body).toEqual(before.body);
    expect(deps.gateway.charges).toEqual([]);
  });

  test('refuses an ended session', async () => {
    const client = new ApiClient(app);
    await client.call(CALLS.login, { email: ada.user.email, password: PASSWORD });
    const token = client.cookie('ovation') ?? '';
    await client.call(CALLS.logout, {});
    client.setCookie('ovation', token);
    expect((await send(client, call, input())).httpStatus).toBe(401);
  });
});

test('an expired session is refused by every call', async () => {
  const client = new ApiClient(app);
  await client.call(CALLS.login, { email: ada.user.email, password: PASSWORD });
  deps.clock.advance(12 * 3_600_000);
  const statuses: number[] = [];
  for (const [name, call] of guarded) {
    statuses.push((await send(client, call, INPUTS_OF_ADA[name]?.())).httpStatus);
  }
  expect(new Set(statuses)).toEqual(new Set([401]));
});

test('a page of another site can use no call, whoever is signed in', async () => {
  const posts = calls.filter(([, call]) => call.method === 'POST');
  for (const [, call] of posts) {
    const answer = await ada.client.call(call, {}, { origin: 'https://evil.example' });
    expect(answer.httpStatus).toBe(403);
    expect(answer.body).toMatchObject({ status: 'error', code: 'foreign_origin' });
  }
});

test('every call refuses the other encoding', async () => {
  for (const [, call] of calls.filter(([, { method }]) => method === 'POST')) {
    const type =
      call.encoding === 'form' ? 'application/json' : 'application/x-www-form-urlencoded';
    const client = new ApiClient(app);
    await client.call(CALLS.login, { email: eve.user.email, password: PASSWORD });
    const answer = await client.call(call, {}, { 'content-type': type });
    expect(answer.httpStatus).toBe(415);
  }
});

test('unknown paths answer in the same shape', async () => {
  for (const path of ['/user', '/user/nothing', '/user/user/login/x', '/proxy', '/nothing']) {
    const response = await app.request(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      status: 'error',
      code: 'not_found',
      message: 'There is nothing at this address.',
    });
  }
});

test('answers name the request and are kept by no cache', async () => {
  const { headers } = await ada.client.call(CALLS.logout, {});
  expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  expect(headers.get('cache-control')).toBe('no-store');
});

test('when the database fails the customer reads a calm sentence', async () => {
  const broken = await createTestDeps();
  const client = new ApiClient(createApp(broken));
  await sql`drop table rate_limit`.execute(broken.database.db);
  const answer = await client.call(CALLS.login, {
    email: 'a@example.test',
    password: 'secret-word',
  });
  expect(answer.httpStatus).toBe(500);
  expect(answer.body).toEqual({
    status: 'error',
    code: 'internal',
    message: 'Something went wrong on our side. Please try again in a moment.',
  });
  expect(broken.logged).toMatchObject([
    { event: 'request_failed', fields: { path: '/user/user/login' } },
  ]);
  expect(broken.logged[0]?.fields.requestId).toBe(answer.headers.get('x-request-id'));
  expect(JSON.stringify(broken.logged)).not.toContain('secret-word');
  await broken.database.close();
});
