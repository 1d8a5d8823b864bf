import type { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { PASSWORD, registerCustomer } from '#test/people/customers.ts';
import { newestCode, wrongCodeFor } from '#test/people/recovery.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

const NEW_PASSWORD = 'a brand new password';
const COOKIE = 'ovation-recovery';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());
beforeEach(() => deps.clock.advance(3_600_000));

const emailOf = (name: string): string => `${name}@example.test`;
const browser = (address?: string) => new ApiClient(app, address ? { address } : {});
const ask = (client: ApiClient, name: string) =>
  client.call(CALLS.verifyUserAndSendEmail, { email: emailOf(name) });
const enter = (client: ApiClient, name: string, otp: string) =>
  client.call(CALLS.verifyOtp, { email: emailOf(name), otp });
const replace = (client: ApiClient, name: string, password = NEW_PASSWORD) =>
  client.call(CALLS.changePassword, { email: emailOf(name), password });
const logIn = async (name: string, password: string) =>
  (await browser().call(CALLS.login, { email: emailOf(name), password })).httpStatus;

/** A browser that holds a grant for a customer. */
async function granted(name: string): Promise<ApiClient> {
  const client = browser();
  await ask(client, name);
  expect((await enter(client, name, await newestCode(deps))).httpStatus).toBe(200);
  return client;
}

// Shows facts 2.02, 2.85, 2.86, 2.88, 2.89, 4.12, 5.08, 5.09, 8.03, 8.22, 8.25, 8.28.
test('e-mail, code, new password: the new one logs in, the old one doesn’t', async () => {
  await registerCustomer(app, deps, 'ada');
  const client = browser();
  const asked = await client.call(CALLS.verifyUserAndSendEmail, { email: ' ADA@example.test ' });
  expect(asked.httpStatus).toBe(200);
  expect(asked.body).toEqual({
    status: 'success',
    message: 'Verification email sent.',
    data: null,
    otp: expect.stringMatching(/^[0-9a-f-]{36}$/),
    codeLength: 6,
  });
  const entered = await enter(client, 'ada', await newestCode(deps));
  expect(entered.body).toEqual({
    status: 'success',
    message: 'OTP Verified successfully!',
    data: null,
  });
  const replaced = await replace(client, 'ada');
  expect(replaced.body).toEqual({
    status: 'success',
    message: 'Password changed successfully!',
    data: null,
  });
  expect(client.cookie(COOKIE)).toBeUndefined();
  expect(await logIn('ada', NEW_PASSWORD)).toBe(200);
  expect(await logIn('ada', PASSWORD)).toBe(401);
});

test('the cookie is short-lived and out of the reach of scripts, bound to the host on https', async () => {
  const plain = await ask(browser('203.0.113.20'), 'cookie1');
  expect(plain.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^ovation-recovery=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    ),
  ]);
  const secure = { ...deps, settings: { ...deps.settings, publicUrl: 'https://ovation.example' } };
  const onHttps = new ApiClient(createApp(secure), { address: '203.0.113.21' });
  const { headers } = await ask(onHttps, 'cookie2');
  expect(headers.getSetCookie()[0]).toMatch(/^__Host-ovation-recovery=.*; Secure; SameSite=Lax$/);
});

// Shows fact 7.12.
test('known and unknown addresses get the same answers at every step, and the same rows', async () => {
  await registerCustomer(app, deps, 'known');
  await deps.database.db.deleteFrom('recovery').execute();
  const shapes = [];
  for (const name of ['known', 'unknown']) {
    const client = browser(`192.0.2.${name.length}`);
    const asked = [await ask(client, name), await ask(client, name), await ask(client, name)];
    const limited = await ask(client, name);
    const tried = await enter(client, name, wrongCodeFor(await newestCode(deps)));
    const refused = await replace(client, name);
    const told = [...asked, limited, tried, refused].map(({ httpStatus, body, headers }) => ({
      httpStatus,
      body: JSON.stringify(body).replace(/"otp":"[0-9a-f-]{36}"/, '"otp":"…"'),
      headers: [...headers.keys()].sort(),
      retryAfter: headers.get('retry-after'),
    }));
    const rows = await deps.database.db.selectFrom('recovery').selectAll().execute();
    const columns = rows.map((row) =>
      Object.entries(row).map(([key, value]) => [key, value === null]),
    );
    shapes.push({ told, columns });
    await deps.database.db.deleteFrom('recovery').execute();
  }
  expect(shapes[0]).toEqual(shapes[1]);
  expect(shapes[0]?.told.map(({ httpStatus }) => httpStatus)).toEqual([
    200, 200, 200, 429, 400, 401,
  ]);
});

test('a request for a code writes as many rows for an unknown address as for a known one', async () => {
  await registerCustomer(app, deps, 'counted');
  const counts = [];
  for (const name of ['counted', 'uncounted']) {
    const before = await rowsWritten();
    await ask(browser('192.0.2.77'), name);
    const after = await rowsWritten();
    counts.push(after.map((count, index) => count - (before[index] ?? 0)));
  }
  expect(counts[0]).toEqual([1, 1, 1]);
  expect(counts[1]).toEqual(counts[0]);
});

/** Rows of the tables that a request for a code writes to. */
async function rowsWritten(): Promise<number[]> {
  const { db } = deps.database;
  const tables = ['recovery', 'owed_mail', 'audit_notice'] as const;
  const counts = tables.map(
    async (table) => (await db.selectFrom(table).selectAll().execute()).length,
  );
  return Promise.all(counts);
}

// Shows fact 4.15.
test('the code is in no answer and readable in no row', async () => {
  await registerCustomer(app, deps, 'canary');
  const client = browser('203.0.113.30');
  const asked = await ask(client, 'canary');
  const code = await newestCode(deps);
  expect(JSON.stringify(asked.body) + JSON.stringify([...asked.headers])).not.toContain(code);
  const { db } = deps.database;
  const rows = [
    ...(await db.selectFrom('owed_mail').selectAll().execute()),
    ...(await db.selectFrom('recovery').selectAll().execute()),
    ...(await db.selectFrom('audit_notice').select(['actor', 'action', 'subject']).execute()),
    ...(await db.selectFrom('audit_event').select(['actor', 'action', 'subject']).execute()),
  ];
  const digits = JSON.stringify(rows).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '');
  expect(digits).not.toContain(`"${code}"`);
  expect(rows.some((row) => Object.values(row).includes(code))).toBe(false);
});

// Shows fact 7.13.
test('a code works in the browser that asked for it only, and for its address only', async () => {
  await registerCustomer(app, deps, 'bound');
  const client = browser();
  await ask(client, 'bound');
  const code = await newestCode(deps);
  const other = browser();
  expect((await enter(other, 'bound', code)).body).toEqual({
    status: 'error',
    code: 'wrong_code',
    message: 'Invalid OTP. Please try again.',
    fields: { otp: 'Invalid OTP. Please try again.' },
  });
  await ask(other, 'somebody');
  expect((await enter(other, 'bound', code)).httpStatus).toBe(400);
  expect((await enter(client, 'somebody', code)).httpStatus).toBe(400);
  expect((await enter(client, 'bound', code)).httpStatus).toBe(200);
});

test('a browser that asks again has the newer code alone', async () => {
  await registerCustomer(app, deps, 'twice');
  const client = browser();
  await ask(client, 'twice');
  const former = browser();
  former.setCookie(COOKIE, client.cookie(COOKIE) ?? '');
  const formerCode = await newestCode(deps);
  await ask(client, 'twice');
  expect((await enter(former, 'twice', formerCode)).httpStatus).toBe(400);
  expect((await enter(client, 'twice', await newestCode(deps))).httpStatus).toBe(200);
});

test('a code lives 10 minutes, exactly', async () => {
  await registerCustomer(app, deps, 'late');
  for (const [afterMs, httpStatus] of [
    [599_999, 200],
    [600_000, 400],
  ] as const) {
    const client = browser();
    await ask(client, 'late');
    const code = await newestCode(deps);
    deps.clock.advance(afterMs);
    expect((await enter(client, 'late', code)).httpStatus).toBe(httpStatus);
  }
});

test('the fifth try may still be right; after five wrong ones even the right code is refused', async () => {
  await registerCustomer(app, deps, 'tries');
  for (const [wrong, httpStatus] of [
    [4, 200],
    [5, 400],
  ] as const) {
    const client = browser();
    await ask(client, 'tries');
    const code = await newestCode(deps);
    for (let index = 1; index <= wrong; index += 1) {
      expect((await enter(client, 'tries', wrongCodeFor(code, index))).httpStatus).toBe(400);
    }
    expect((await enter(client, 'tries', code)).httpStatus).toBe(httpStatus);
  }
});

test('a code works once, also when it is sent twenty times at once', async () => {
  await registerCustomer(app, deps, 'once');
  const client = browser();
  await ask(client, 'once');
  const code = await newestCode(deps);
  const token = client.cookie(COOKIE) ?? '';
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => {
      const duplicate = browser();
      duplicate.setCookie(COOKIE, token);
      return enter(duplicate, 'once', code);
    }),
  );
  expect(answers.filter(({ httpStatus }) => httpStatus === 200)).toHaveLength(1);
});

// Shows fact 7.14.
test('a password is changed with the grant for that address only, and once', async () => {
  await registerCustomer(app, deps, 'grant');
  await registerCustomer(app, deps, 'victim');
  const unauthorized = { status: 'error', code: 'no_session', message: 'Unauthorized access.' };
  const fresh = browser();
  expect((await replace(fresh, 'grant')).body).toEqual(unauthorized);
  await ask(fresh, 'grant');
  expect((await replace(fresh, 'grant')).body).toEqual(unauthorized);
  const client = await granted('grant');
  expect((await replace(client, 'victim')).body).toEqual(unauthorized);
  const token = client.cookie(COOKIE) ?? '';
  expect((await replace(client, 'grant')).httpStatus).toBe(200);
  client.setCookie(COOKIE, token);
  expect((await replace(client, 'grant', 'yet another one')).body).toEqual(unauthorized);
  expect(await logIn('victim', PASSWORD)).toBe(200);
});

test('a grant ends after 10 minutes, and the cookie of the code isn’t one', async () => {
  await registerCustomer(app, deps, 'slow');
  const early = browser();
  await ask(early, 'slow');
  const codeToken = early.cookie(COOKIE) ?? '';
  await enter(early, 'slow', await newestCode(deps));
  const thief = browser();
  thief.setCookie(COOKIE, codeToken);
  expect((await replace(thief, 'slow')).httpStatus).toBe(401);
  deps.clock.advance(600_000);
  expect((await replace(early, 'slow')).httpStatus).toBe(401);
});

test('a changed password ends every other session and every other recovery', async () => {
  const ada = await registerCustomer(app, deps, 'sessions');
  const own = browser();
  await own.call(CALLS.login, { email: emailOf('sessions'), password: PASSWORD });
  const other = browser();
  await ask(other, 'sessions');
  await enter(other, 'sessions', await newestCode(deps));
  await ask(own, 'sessions');
  await enter(own, 'sessions', await newestCode(deps));
  expect((await replace(own, 'sessions')).httpStatus).toBe(200);
  const find = (client: ApiClient) => client.call(CALLS.findUser, { userId: ada.user.id });
  expect((await find(ada.client)).httpStatus).toBe(401);
  expect((await find(own)).httpStatus).toBe(200);
  expect((await replace(other, 'sessions', 'taken over again')).httpStatus).toBe(401);
  const mails = await deps.database.db.selectFrom('owed_mail').select('payload').execute();
  const changed = { kind: 'password_changed', userId: ada.user.id };
  expect(mails.map(({ payload }) => payload)).toContainEqual(changed);
});

test('a grant is no session: every call that needs one refuses it', async () => {
  const { user } = await registerCustomer(app, deps, 'stranger');
  const client = await granted('stranger');
  for (const call of [CALLS.findUser, CALLS.findConnectedAccounts] as const) {
    expect((await client.call(call, { userId: user.id })).body.code).toBe('no_session');
  }
});

test('failed log-ins don’t keep out whoever has recovered', async () => {
  await registerCustomer(app, deps, 'locked');
  for (let index = 0; index < 6; index += 1) await logIn('locked', 'wrong password');
  expect(await logIn('locked', PASSWORD)).toBe(429);
  await replace(await granted('locked'), 'locked');
  expect(await logIn('locked', NEW_PASSWORD)).toBe(200);
});
