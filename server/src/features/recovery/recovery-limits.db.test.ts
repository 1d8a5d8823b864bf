import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/app.ts';
import { ApiClient } from '#test/api-client.ts';
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

test('three codes an hour for an address, whatever browser asks, twenty for a client address', async () => {
  for (let index = 0; index < 3; index += 1) {
    expect((await ask(browser(`203.0.113.${40 + index}`), 'popular')).httpStatus).toBe(200);
  }
  const limited = await ask(browser('203.0.113.50'), 'popular');
  expect(limited.body).toMatchObject({ status: 'error', code: 'rate_limited' });
  expect(limited.headers.get('retry-after')).toBe('3600');
  const statuses = [];
  for (let index = 0; index < 21; index += 1) {
    statuses.push((await ask(browser('203.0.113.60'), `spread${index}`)).httpStatus);
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  deps.clock.advance(3_600_000);
  expect((await ask(browser('203.0.113.50'), 'popular')).httpStatus).toBe(200);
});

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
