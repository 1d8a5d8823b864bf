import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { PASSWORD, registerCustomer, registration } from '#test/people/customers.ts';
import { newestCode } from '#test/people/recovery.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { GUESSABLE_PASSWORD } from './guessable-password.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

const REFUSED = {
  status: 'error',
  code: 'invalid_input',
  message: GUESSABLE_PASSWORD,
  fields: { password: GUESSABLE_PASSWORD },
};

test('a sign-up with a password anybody would guess, or the own name, is refused beside the field', async () => {
  const client = new ApiClient(app);
  deps.network.addAccount('lovelace.ada');
  for (const password of ['Password123!', 'lovelaceada1']) {
    const form = registration('lovelace.ada', { password });
    expect((await client.call(CALLS.register, form)).body).toEqual(REFUSED);
  }
  const { httpStatus } = await client.call(CALLS.register, registration('lovelace.ada'));
  expect(httpStatus).toBe(200);
});

test('a guessable new password is refused in the settings; the old one stays', async () => {
  const { client, user } = await registerCustomer(app, deps, 'changing');
  const change = { userId: user.id, currentPassword: PASSWORD, password: 'qwertyuiop' };
  expect((await client.call(CALLS.updatePassword, change)).body).toEqual(REFUSED);
  const back = { email: user.email, password: PASSWORD };
  expect((await new ApiClient(app).call(CALLS.login, back)).httpStatus).toBe(200);
});

test('a guessable password is refused after a recovery too, and the grant waits for a better one', async () => {
  const { user } = await registerCustomer(app, deps, 'forgetful');
  const client = new ApiClient(app);
  const { email } = user;
  await client.call(CALLS.verifyUserAndSendEmail, { email });
  await client.call(CALLS.verifyOtp, { email, otp: await newestCode(deps) });
  const change = (password: string) => client.call(CALLS.changePassword, { email, password });
  expect((await change('forgetful2026')).body).toEqual(REFUSED);
  expect((await change('a brand new password')).httpStatus).toBe(200);
});
