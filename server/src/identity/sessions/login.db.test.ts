import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { insertAccount } from '#server/network/accounts/account.repository.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { PASSWORD, registerCustomer, registration, signUp } from '#test/people/customers.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
let ada: Awaited<ReturnType<typeof signUp>>;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
  ada = await signUp(app, deps, 'ada');
});
afterAll(() => deps.database.close());

const COOKIE = 'ovation';
const UNKEPT: unknown = expect.stringMatching(
  /^ovation=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
);
const KEPT: unknown = expect.stringMatching(
  /^ovation=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
);
const WRONG = 'That email or password isn’t right.';
const credentials = (name: string, password = PASSWORD) => ({
  email: `${name}@example.test`,
  password,
});

// Shows fact 7.02.
test('the right password signs in and answers the customer', async () => {
  const client = new ApiClient(app);
  const { httpStatus, body } = await client.call(CALLS.login, {
    email: ' ADA@example.test',
    password: PASSWORD,
  });
  expect(httpStatus).toBe(200);
  expect(body).toMatchObject({ status: 'success', message: 'Successfully logged in' });
  // The new device is a change of the customer's own scope.
  expect(body.data).toEqual({
    ...ada.user,
    versions: { ...ada.user.versions, [`u:${ada.user.id}`]: 2 },
  });
  expect((await client.call(CALLS.findUser, { userId: ada.user.id })).httpStatus).toBe(200);
  const { entries = [] } =
    (await client.call(CALLS.findActivity, { userId: ada.user.id })).body.data ?? {};
  expect(entries[0]?.text).toBe(`${ada.user.name} logged in.`);
});

test('a client that reads the accounts by sync asks for some of them, the default one among them', async () => {
  const { client, user } = await registerCustomer(app, deps, 'many');
  const { db } = deps.database;
  const { workspaceId, id: userId } = await db
    .selectFrom('app_user')
    .select(['workspace_id as workspaceId', 'id'])
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  for (const igUsername of ['second', 'third', 'newest']) {
    const id = deps.ids.uuid();
    deps.clock.advance(1000);
    const now = new Date(deps.clock.now());
    await deps.database.transaction((tx) =>
      insertAccount(tx, { workspaceId, id, igUsername, now }),
    );
    const changes = { default_account_id: id };
    await db.updateTable('app_user').set(changes).where('id', '=', userId).execute();
  }
  const named = async (more: { mostAccounts?: string }) => {
    const { body } = await client.call(CALLS.login, { ...credentials('many'), ...more });
    expect(body.data?.defaultIgUsername).toBe('newest');
    return body.data?.connectedAccounts.map(({ igUsername }) => igUsername);
  };
  expect(await named({})).toEqual(['many', 'second', 'third', 'newest']);
  expect(await named({ mostAccounts: '2' })).toEqual(['many', 'newest']);
  expect(await named({ mostAccounts: '9' })).toHaveLength(4);
  const { httpStatus } = await client.call(CALLS.login, {
    ...credentials('many'),
    mostAccounts: '0',
  });
  expect(httpStatus).toBe(400);
});

test('an unknown address and a wrong password are answered alike', async () => {
  const client = new ApiClient(app);
  const wrong = await client.call(CALLS.login, credentials('ada', 'wrong password'));
  const unknown = await client.call(CALLS.login, credentials('nobody', 'wrong password'));
  const empty = await client.call(CALLS.login, {});
  for (const answer of [wrong, unknown, empty]) {
    expect(answer.httpStatus).toBe(401);
    expect(answer.body).toEqual({ status: 'error', code: 'wrong_credentials', message: WRONG });
    expect(answer.headers.getSetCookie()).toEqual([]);
  }
});

// Shows fact 2.36.
test('the cookie goes with the browser, and the session after 12 hours at most', async () => {
  const client = new ApiClient(app);
  const { headers } = await client.call(CALLS.login, credentials('ada'));
  expect(headers.getSetCookie()).toContainEqual(UNKEPT);
  const find = () => client.call(CALLS.findUser, { userId: ada.user.id });
  for (let hour = 3; hour < 12; hour += 3) {
    deps.clock.advance(3 * 3_600_000);
    expect((await find()).httpStatus).toBe(200);
  }
  deps.clock.advance(3 * 3_600_000 - 1);
  expect((await find()).httpStatus).toBe(200);
  deps.clock.advance(1);
  expect((await find()).body).toMatchObject({ status: 'error', code: 'session_expired' });
});

// Shows fact 2.36.
test('a sign-up that says "Keep Me Signed in" keeps its cookie for 30 days, one that doesn’t until the browser closes', async () => {
  const cookies = async (name: string, keepSignedIn?: 'on'): Promise<string[]> => {
    deps.network.addAccount(name);
    const input = registration(name, { ...(keepSignedIn && { keepSignedIn }) });
    const client = new ApiClient(app, { address: name });
    return (await client.call(CALLS.register, input)).headers.getSetCookie();
  };
  expect(await cookies('stays.here', 'on')).toContainEqual(KEPT);
  expect(await cookies('leaves.soon')).toContainEqual(UNKEPT);
});

// Shows fact 2.36.
test('"Keep Me Signed in" keeps cookie and session for 30 days, and use doesn’t prolong them', async () => {
  const client = new ApiClient(app);
  const { headers } = await client.call(CALLS.login, {
    ...credentials('ada'),
    keepSignedIn: 'on',
  });
  expect(headers.getSetCookie()).toContainEqual(KEPT);
  const find = () => client.call(CALLS.findUser, { userId: ada.user.id });
  for (let day = 0; day < 29; day += 1) {
    deps.clock.advance(86_400_000);
    expect((await find()).httpStatus).toBe(200);
  }
  deps.clock.advance(86_400_000);
  expect((await find()).httpStatus).toBe(401);
});

test('unused for 4 hours a session is over, with "Keep Me Signed in" for 14 days', async () => {
  for (const [keepSignedIn, idleMs] of [
    [undefined, 4 * 3_600_000],
    ['on', 14 * 86_400_000],
  ] as const) {
    const client = new ApiClient(app);
    await client.call(CALLS.login, {
      ...credentials('ada'),
      ...(keepSignedIn && { keepSignedIn }),
    });
    const find = async () =>
      (await client.call(CALLS.findUser, { userId: ada.user.id })).httpStatus;
    deps.clock.advance(idleMs);
    expect(await find()).toBe(200);
    // Use is written down every 5 minutes only, so nobody is signed out before the time.
    deps.clock.advance(4 * 60_000);
    expect(await find()).toBe(200);
    deps.clock.advance(idleMs + 5 * 60_000);
    expect(await find()).toBe(401);
  }
});

test('on https the cookie is bound to the host and to https', async () => {
  const secure = { ...deps, settings: { ...deps.settings, publicUrl: 'https://ovation.example' } };
  const client = new ApiClient(createApp(secure));
  const { headers } = await client.call(CALLS.login, credentials('ada'));
  const [cookie = ''] = headers.getSetCookie();
  expect(cookie).toMatch(/^__Host-ovation=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  expect((await client.call(CALLS.findUser, { userId: ada.user.id })).httpStatus).toBe(200);
});

test('logging in again rotates the session: the old token is worth nothing', async () => {
  const client = new ApiClient(app);
  await client.call(CALLS.login, credentials('ada'));
  const stolen = client.cookie(COOKIE) ?? '';
  await client.call(CALLS.login, credentials('ada'));
  expect(client.cookie(COOKIE)).not.toBe(stolen);
  const thief = new ApiClient(app);
  thief.setCookie(COOKIE, stolen);
  expect((await thief.call(CALLS.findUser, { userId: ada.user.id })).httpStatus).toBe(401);
});

test('a token chosen by somebody else is never adopted', async () => {
  const client = new ApiClient(app);
  const planted = 'A'.repeat(43);
  client.setCookie(COOKIE, planted);
  await client.call(CALLS.login, credentials('ada'));
  expect(client.cookie(COOKIE)).not.toBe(planted);
});

// Shows facts 2.51, 2.53, 2.54.
test('logging out ends the session on the server, twice as well as once', async () => {
  const client = new ApiClient(app);
  await client.call(CALLS.login, credentials('ada'));
  const token = client.cookie(COOKIE) ?? '';
  const { httpStatus, body, headers } = await client.call(CALLS.logout, {});
  expect(httpStatus).toBe(200);
  expect(body).toEqual({ status: 'success', message: 'Successfully logged out', data: null });
  expect(headers.getSetCookie()[0]).toMatch(
    /^ovation=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax/,
  );
  client.setCookie(COOKIE, token);
  expect((await client.call(CALLS.findUser, { userId: ada.user.id })).httpStatus).toBe(401);
  expect((await client.call(CALLS.logout, {})).httpStatus).toBe(200);
});

test('logging out empties the browser’s own cache, which may hold pictures, and nothing else does', async () => {
  const client = new ApiClient(app);
  const loggedIn = await client.call(CALLS.login, credentials('ada'));
  expect(loggedIn.headers.get('clear-site-data')).toBeNull();
  const { headers } = await client.call(CALLS.logout, {});
  expect(headers.get('clear-site-data')).toBe('"cache"');
});

test('only the hash of a token is stored, no card number of the browser’s name, and last seen is written at most every 5 minutes', async () => {
  const client = new ApiClient(app);
  await client.call(CALLS.login, credentials('ada'), {
    'user-agent': 'Some Browser/1 (4242424242424242)',
  });
  const token = client.cookie(COOKIE) ?? '';
  const newest = () =>
    deps.database.db
      .selectFrom('session')
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
  const opened = await newest();
  expect(opened.user_agent).toBe('Some Browser/1 (••••••••••••••••)');
  expect(Buffer.from(opened.token_hash).toString('base64url')).not.toContain(token);
  const openedAt = opened.last_seen_at.getTime();
  deps.clock.advance(299_999);
  await client.call(CALLS.findUser, { userId: ada.user.id });
  expect((await newest()).last_seen_at.getTime()).toBe(openedAt);
  deps.clock.advance(1);
  await client.call(CALLS.findUser, { userId: ada.user.id });
  expect((await newest()).last_seen_at.getTime()).toBe(openedAt + 300_000);
});

test('after 5 failures an account gets one attempt in 30 seconds; the right password then works', async () => {
  await registerCustomer(app, deps, 'forgetful');
  const attempt = (password?: string) =>
    new ApiClient(app, { address: '198.51.100.1' }).call(
      CALLS.login,
      credentials('forgetful', password),
    );
  for (let index = 0; index < 6; index += 1) {
    expect((await attempt('wrong password')).httpStatus).toBe(401);
  }
  deps.clock.advance(5_000);
  const limited = await attempt();
  expect(limited.httpStatus).toBe(429);
  expect(limited.headers.get('retry-after')).toBe('25');
  expect(limited.body.code).toBe('rate_limited');
  expect((await new ApiClient(app).call(CALLS.login, credentials('ada'))).httpStatus).toBe(200);
  deps.clock.advance(24_999);
  expect((await attempt()).httpStatus).toBe(429);
  deps.clock.advance(1);
  expect((await attempt()).httpStatus).toBe(200);
  expect((await attempt('wrong password')).httpStatus).toBe(401);
  expect((await attempt()).httpStatus).toBe(200);
});

test('a success forgets the failures before it', async () => {
  await registerCustomer(app, deps, 'clumsy');
  const attempt = (password?: string) =>
    new ApiClient(app).call(CALLS.login, credentials('clumsy', password));
  for (let round = 0; round < 3; round += 1) {
    for (let index = 0; index < 4; index += 1) await attempt('wrong password');
    expect((await attempt()).httpStatus).toBe(200);
  }
});

test('an unknown address is limited as a known one is', async () => {
  const statuses: number[] = [];
  for (let index = 0; index < 7; index += 1) {
    const { httpStatus } = await new ApiClient(app).call(CALLS.login, credentials('ghost', 'x'));
    statuses.push(httpStatus);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429]);
});

test('many wrong passwords at once are no more tries than one after the other', async () => {
  await registerCustomer(app, deps, 'besieged');
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      new ApiClient(app).call(CALLS.login, credentials('besieged', 'wrong password')),
    ),
  );
  const tried = answers.filter(({ httpStatus }) => httpStatus === 401);
  // The five, and the first of the slow ones.
  expect(tried).toHaveLength(6);
  expect(answers.filter(({ httpStatus }) => httpStatus === 429)).toHaveLength(14);
});
