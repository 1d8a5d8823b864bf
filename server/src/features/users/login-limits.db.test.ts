import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createApp } from '#server/app.ts';
import { ApiError } from '#server/api-error.ts';
import { PASSWORD, registerCustomer } from '#test/customers.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { logIn } from './login.service.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
  const app = createApp(deps);
  for (const name of ['ada', 'ben']) await registerCustomer(app, deps, name);
});
beforeEach(() => deps.clock.advance(3_600_000));
afterAll(() => deps.database.close());

const ATTACKER = '198.51.100.66';
const HOME = '203.0.113.5';

/** "in", or what the log-in is refused with; a wait with its milliseconds. */
async function attempt(name: string, address: string, password = 'wrong'): Promise<string> {
  const passwords = {
    hash: () => Promise.reject(new Error('nothing is hashed')),
    verify: (storedHash: string | undefined, given: string) =>
      Promise.resolve(storedHash !== undefined && given === PASSWORD),
  };
  const email = `${name}@example.test`;
  const form = { email, password, keepSignedIn: false, userAgent: '', address };
  try {
    await logIn({ ...deps, passwords }, form);
    return 'in';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.code === 'rate_limited' ? `wait ${error.retryAfterMs}` : error.code;
  }
}

test('whoever keeps failing from elsewhere does not keep the customer out', async () => {
  for (let index = 0; index < 50; index += 1) await attempt('ada', ATTACKER);
  expect(await attempt('ada', ATTACKER, PASSWORD)).toBe('wait 30000');
  expect(await attempt('ada', HOME, PASSWORD)).toBe('in');
});

test('a customer who mistypes while under attack waits 30 seconds at most', async () => {
  for (let index = 0; index < 50; index += 1) await attempt('ada', ATTACKER);
  expect(await attempt('ada', HOME)).toBe('wrong_credentials');
  deps.clock.advance(10_000);
  expect(await attempt('ada', HOME, PASSWORD)).toBe('wait 20000');
  await attempt('ada', ATTACKER);
  deps.clock.advance(20_000);
  expect(await attempt('ada', HOME, PASSWORD)).toBe('in');
});

test('5 minutes of guessing each second are the five and one guess in 30 seconds', async () => {
  let guesses = 0;
  for (let second = 0; second < 300; second += 1) {
    if ((await attempt('ada', ATTACKER)) === 'wrong_credentials') guesses += 1;
    deps.clock.advance(1000);
  }
  expect(guesses).toBe(15);
});

test('addresses of one IPv6 network share their slow attempts', async () => {
  for (let index = 0; index < 5; index += 1) await attempt('ada', '2001:db8:0:1::1');
  expect(await attempt('ada', '2001:db8:0:1::2')).toBe('wrong_credentials');
  expect(await attempt('ada', '2001:db8:0:1::3')).toBe('wait 30000');
  expect(await attempt('ada', '2001:db8:0:2::1')).toBe('wrong_credentials');
});

test('one address trying many accounts is slowed down after 60 failures', async () => {
  for (let index = 0; index < 60; index += 1) {
    expect(await attempt(`nobody${index}`, ATTACKER)).toBe('wrong_credentials');
  }
  expect(await attempt('nobody60', ATTACKER)).toBe('wrong_credentials');
  expect(await attempt('nobody61', ATTACKER)).toBe('wait 30000');
  expect(await attempt('ben', ATTACKER, PASSWORD)).toBe('wait 30000');
  expect(await attempt('ben', HOME, PASSWORD)).toBe('in');
  deps.clock.advance(30_000);
  expect(await attempt('ben', ATTACKER, PASSWORD)).toBe('in');
});

test('log-ins that succeed do not slow an address down, and take no failures from it', async () => {
  for (let index = 0; index < 59; index += 1) await attempt(`nobody${index}`, ATTACKER);
  for (let index = 0; index < 10; index += 1) {
    expect(await attempt('ben', ATTACKER, PASSWORD)).toBe('in');
  }
  expect(await attempt('nobody60', ATTACKER)).toBe('wrong_credentials');
  expect(await attempt('nobody61', ATTACKER)).toBe('wrong_credentials');
  expect(await attempt('nobody62', ATTACKER)).toBe('wait 30000');
});

test('hammering one account does not slow the others at the same address', async () => {
  for (let index = 0; index < 100; index += 1) await attempt('ada', ATTACKER);
  expect(await attempt('ben', ATTACKER)).toBe('wrong_credentials');
  expect(await attempt('ben', ATTACKER, PASSWORD)).toBe('in');
});
