import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { newestCode } from '#test/people/recovery.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

const emailOf = (name: string): string => `${name}@example.test`;
const browser = (address: string) => new ApiClient(app, { address });
const ask = (client: ApiClient, name: string) =>
  client.call(CALLS.verifyUserAndSendEmail, { email: emailOf(name) });

/** A browser in which the customer has been logged in, elsewhere now. */
function knownBrowser({ client }: Customer, address: string): ApiClient {
  const known = browser(address);
  known.setCookie('ovation-browser', client.cookie('ovation-browser') ?? '');
  return known;
}

/** Codes mailed so far, to anybody or nobody. */
async function countMailed(): Promise<number> {
  const mails = await deps.database.db.selectFrom('owed_mail').select('payload').execute();
  return mails.filter(({ payload }) => payload.kind === 'recovery_code').length;
}
const enter = (client: ApiClient, name: string, otp: string) =>
  client.call(CALLS.verifyOtp, { email: emailOf(name), otp });

test('three codes an hour for an address from one network, twenty for a client address', async () => {
  const statuses = [];
  for (let index = 0; index < 4; index += 1) {
    statuses.push((await ask(browser('203.0.113.40'), 'popular')).httpStatus);
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
  const limited = await ask(browser('203.0.113.40'), 'popular');
  expect(limited.body).toMatchObject({ status: 'error', code: 'rate_limited' });
  expect(limited.headers.get('retry-after')).toBe('3600');
  expect((await ask(browser('203.0.113.41'), 'popular')).httpStatus).toBe(200);
  const spread = [];
  for (let index = 0; index < 21; index += 1) {
    spread.push((await ask(browser('203.0.113.60'), `spread${index}`)).httpStatus);
  }
  expect(spread.filter((status) => status === 200)).toHaveLength(20);
  deps.clock.advance(3_600_000);
  expect((await ask(browser('203.0.113.40'), 'popular')).httpStatus).toBe(200);
});

test('strangers have six mails a day sent to an address, and are told the same beyond', async () => {
  for (const name of ['victim', 'nobody']) {
    if (name === 'victim') await registerCustomer(app, deps, name);
    const before = await countMailed();
    const answers = [];
    for (let index = 0; index < 20; index += 1) {
      const { httpStatus, body } = await ask(browser(`198.18.0.${index}`), name);
      answers.push([httpStatus, body.status, body.message]);
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set(['[200,"success","Verification email sent."]']),
    );
    expect((await countMailed()) - before).toBe(6);
  }
});

test('however often strangers ask, the customer gets a code in a browser or network of theirs', async () => {
  const own = await registerCustomer(app, deps, 'owner');
  for (let index = 0; index < 20; index += 1) await ask(browser(`198.18.1.${index}`), 'owner');
  for (const client of [knownBrowser(own, '192.0.2.99'), browser('customer-owner')]) {
    expect((await ask(client, 'owner')).httpStatus).toBe(200);
    expect((await enter(client, 'owner', await newestCode(deps))).httpStatus).toBe(200);
  }
});

test('a browser of the customer’s has three codes an hour in whatever networks, none of them used up by strangers', async () => {
  const own = await registerCustomer(app, deps, 'moving');
  for (let index = 0; index < 4; index += 1) await ask(browser('198.18.4.1'), 'moving');
  const statuses = [];
  for (let index = 1; index <= 4; index += 1) {
    statuses.push((await ask(knownBrowser(own, `198.18.4.${index}`), 'moving')).httpStatus);
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
});

test('after five unused codes one has eight characters, which work however they are typed, until one was used', async () => {
  await registerCustomer(app, deps, 'guessed');
  for (let index = 0; index < 5; index += 1) {
    await ask(browser(`198.18.2.${index}`), 'guessed');
    expect(await newestCode(deps)).toMatch(/^\d{6}$/);
  }
  deps.clock.advance(86_400_000);
  const client = browser('198.18.2.9');
  const { body } = await ask(client, 'guessed');
  expect(body).toMatchObject({ status: 'success', codeLength: 8 });
  const code = await newestCode(deps);
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
  const typed = ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)}`;
  expect((await enter(client, 'guessed', typed)).httpStatus).toBe(200);
  const next = await ask(browser('198.18.2.10'), 'guessed');
  expect(next.body).toMatchObject({ codeLength: 6 });
  expect(await newestCode(deps)).toMatch(/^\d{6}$/);
});

test('the code mailed last stays good when the day’s mails are used up', async () => {
  await registerCustomer(app, deps, 'patient');
  const client = browser('198.18.3.1');
  for (let index = 0; index < 5; index += 1)
    await ask(browser(`198.18.3.${10 + index}`), 'patient');
  await ask(client, 'patient');
  const code = await newestCode(deps);
  const beyond = await ask(client, 'patient');
  // It asks for as many characters as that code has, and lives as long.
  expect(beyond.body).toMatchObject({ codeLength: code.length });
  expect(beyond.headers.getSetCookie()).toEqual([expect.stringContaining('; Max-Age=600;')]);
  expect((await enter(client, 'patient', code)).httpStatus).toBe(200);
});

// Shows facts 5.09, 9.12.
test('what isn’t an address, a code or a password is named as such', async () => {
  const client = browser('203.0.113.70');
  const email = await client.call(CALLS.verifyUserAndSendEmail, { email: 'ada' });
  expect(email.body).toMatchObject({
    status: 'error',
    message: 'Please enter a valid email address.',
  });
  const otp = await client.call(CALLS.verifyOtp, { email: emailOf('ada'), otp: '12345' });
  expect(otp.body).toMatchObject({ status: 'error', message: 'Please enter a 6-digit OTP.' });
  const password = await client.call(CALLS.changePassword, {
    email: emailOf('ada'),
    password: 'short',
  });
  expect(password.body).toMatchObject({
    status: 'error',
    message: 'Password must be 8 to 128 characters.',
  });
});
