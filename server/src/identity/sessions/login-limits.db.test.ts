import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createApp } from '#server/main/app.ts';
import { ApiError } from '#server/kit/api-error.ts';
import { PASSWORD, registerCustomer } from '#test/people/customers.ts';
import { countUses } from '#test/people/counted-uses.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { LIMITS } from '../limits/rate-limit.ts';
import { logIn } from './login.service.ts';

let deps: TestDeps;
let adaId: string;
beforeAll(async () => {
  deps = await createTestDeps();
  const app = createApp(deps);
  adaId = (await registerCustomer(app, deps, 'ada')).user.id;
  await registerCustomer(app, deps, 'ben');
});
beforeEach(() => deps.clock.advance(2 * 86_400_000));
afterAll(() => deps.database.close());

/** `LOGIN_GUESSES=2000` for more from as many networks. */
const GUESSES = Number(process.env['LOGIN_GUESSES'] ?? 60);
/** Of each hour of two days. */
const HOURLY = GUESSES / 10;
/** From as many networks: more than an hour lets anybody compare. */
const CROWD = 30;
const ATTACKER = '198.51.100.66';
const HOME = '203.0.113.5';

/** Cookies that log-ins set, by customer. */
const browsers = new Map<string, string>();

/** "in", or what the log-in is refused with; a wait with its milliseconds, and whether it is for the whole address. */
async function attempt(
  name: string,
  address: string,
  password = 'wrong',
  browserToken?: string,
): Promise<string> {
  const passwords = {
    hash: () => Promise.reject(new Error('nothing is hashed')),
    verify: (storedHash: string | undefined, given: string) =>
      Promise.resolve(storedHash !== undefined && given === PASSWORD),
  };
  const email = `${name}@example.test`;
  const form = { email, password, keepSignedIn: false, userAgent: '', address, browserToken };
  try {
    const { browser } = await logIn({ ...deps, passwords }, form);
    browsers.set(name, browser.value);
    return 'in';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code !== 'rate_limited') return error.code;
    return `wait ${error.retryAfterMs}${error.isOfAddress ? ' at this address' : ''}`;
  }
}

/** Wrong guesses that were compared, of one from each of so many networks within an hour. */
async function guessesFrom(name: string, networks: number): Promise<number> {
  let evaluated = 0;
  for (let index = 0; index < networks; index += 1) {
    const address = `100.64.${index >> 8}.${index & 255}`;
    if ((await attempt(name, address)) === 'wrong_credentials') evaluated += 1;
    deps.clock.advance(Math.floor(3_600_000 / networks));
  }
  return evaluated;
}

test(`of ${GUESSES} guesses at one account from as many networks in an hour 18 are compared, and the owner logs in meanwhile`, async () => {
  expect(await attempt('ada', HOME, PASSWORD)).toBe('in');
  const browser = browsers.get('ada');
  expect(await guessesFrom('ada', GUESSES)).toBe(18);
  expect(await attempt('ada', '192.0.2.200', PASSWORD, browser)).toBe('in');
  expect(await attempt('ada', HOME, PASSWORD)).toBe('in');
  expect(await attempt('ada', '192.0.2.201', PASSWORD)).toMatch(/^wait /);
});

test.each([20, 29, 31])(
  'an hour that begins %i minutes before the next window has at most 40 guesses',
  async (minutes) => {
    expect(await attempt('ada', ATTACKER)).toBe('wrong_credentials');
    deps.clock.advance((60 - minutes) * 60_000);
    const evaluated = await guessesFrom('ada', 2 * CROWD);
    expect(evaluated).toBeGreaterThan(30);
    expect(evaluated).toBeLessThanOrEqual(40);
  },
);

test('strangers together have some 80 guesses a day, and at most 150 over the end of a day', async () => {
  const dayOf = async (): Promise<number> => {
    let evaluated = 0;
    for (let hour = 0; hour < 24; hour += 1) evaluated += await guessesFrom('ben', HOURLY);
    return evaluated;
  };
  const first = await dayOf();
  expect(first).toBeGreaterThan(60);
  expect(first).toBeLessThanOrEqual(80);
  deps.clock.advance(36 * 3_600_000);
  expect(await attempt('ben', ATTACKER)).toBe('wrong_credentials');
  deps.clock.advance(12 * 3_600_000);
  expect(await dayOf()).toBeLessThanOrEqual(150);
});

test('that strangers have used up their hour is audited once', async () => {
  const logged = async (): Promise<number> => {
    const notices = await deps.database.db.selectFrom('audit_notice').select('subject').execute();
    return notices.filter(({ subject }) => subject?.startsWith('stranger-login-hour:')).length;
  };
  const before = await logged();
  await guessesFrom('ada', CROWD);
  expect((await logged()) - before).toBe(1);
});

test('an address nobody has is slowed down as one that somebody has', async () => {
  expect(await guessesFrom('nobody', CROWD)).toBe(await guessesFrom('ben', CROWD));
});

test('a known browser has its own five tries, and then one in 30 seconds, wherever it is', async () => {
  await attempt('ada', HOME, PASSWORD);
  const browser = browsers.get('ada');
  for (let index = 0; index < 5; index += 1) {
    expect(await attempt('ada', `192.0.2.${index}`, 'wrong', browser)).toBe('wrong_credentials');
  }
  expect(await attempt('ada', '192.0.2.9', 'wrong', browser)).toBe('wrong_credentials');
  expect(await attempt('ada', '192.0.2.10', PASSWORD, browser)).toBe('wait 30000');
  expect(await attempt('ada', HOME, PASSWORD)).toBe('in');
});

test('the browser of one customer is a stranger to another, and so is a made-up one', async () => {
  await attempt('ben', HOME, PASSWORD);
  const bens = browsers.get('ben');
  await guessesFrom('ada', CROWD);
  expect(await attempt('ada', '192.0.2.50', PASSWORD, bens)).toMatch(/^wait /);
  expect(await attempt('ada', '192.0.2.51', PASSWORD, 'x'.repeat(43))).toMatch(/^wait /);
});

test('of a customer’s browsers the twenty seen last are known', async () => {
  await attempt('ada', '192.0.2.60', PASSWORD);
  const first = browsers.get('ada');
  for (let index = 0; index < 20; index += 1) {
    deps.clock.advance(60_000);
    expect(await attempt('ada', `192.0.2.${100 + index}`, PASSWORD)).toBe('in');
  }
  const rows = await deps.database.db.selectFrom('known_browser').selectAll().execute();
  const adas = rows.filter(({ user_id: id }) => id === adaId);
  expect(adas).toHaveLength(20);
  await guessesFrom('ada', 2 * CROWD);
  expect(await attempt('ada', '192.0.2.61', PASSWORD, first)).toMatch(/^wait /);
});

test('a customer who mistypes at home while under attack waits 30 seconds at most', async () => {
  await attempt('ada', HOME, PASSWORD);
  await guessesFrom('ada', CROWD);
  for (let index = 0; index < 6; index += 1) await attempt('ada', HOME);
  deps.clock.advance(10_000);
  expect(await attempt('ada', HOME, PASSWORD)).toBe('wait 20000');
  await attempt('ada', ATTACKER);
  deps.clock.advance(20_000);
  expect(await attempt('ada', HOME, PASSWORD)).toBe('in');
});

test('a minute and a half of guessing each second from one address are the five and one guess in 30 seconds', async () => {
  let guesses = 0;
  for (let second = 0; second < 90; second += 1) {
    if ((await attempt('ada', ATTACKER)) === 'wrong_credentials') guesses += 1;
    deps.clock.advance(1000);
  }
  expect(guesses).toBe(8);
});

test('addresses of one IPv6 network share their slow attempts', async () => {
  for (let index = 0; index < 5; index += 1) await attempt('ada', '2001:db8:0:1::1');
  expect(await attempt('ada', '2001:db8:0:1::2')).toBe('wrong_credentials');
  expect(await attempt('ada', '2001:db8:0:1::3')).toBe('wait 30000');
  expect(await attempt('ada', '2001:db8:0:2::1')).toBe('wrong_credentials');
});

test('the networks of one IPv6 /56 share four times the failures of one', async () => {
  let evaluated = 0;
  for (let index = 0; index < 60; index += 1) {
    // Of 240 failures 200 more are counted than are made.
    if (index === 20) await countUses(deps, LIMITS.loginAddress, 200);
    const outcome = await attempt(`nobody${index}`, `2001:db8:7:${index.toString(16)}::1`);
    if (outcome === 'wrong_credentials') evaluated += 1;
  }
  expect(evaluated).toBe(41);
});

test('one address trying many accounts is slowed down after 60 failures', async () => {
  for (let index = 0; index < 60; index += 1) {
    expect(await attempt(`nobody${index}`, ATTACKER)).toBe('wrong_credentials');
  }
  expect(await attempt('nobody60', ATTACKER)).toBe('wrong_credentials');
  expect(await attempt('nobody61', ATTACKER)).toBe('wait 30000 at this address');
  expect(await attempt('ben', ATTACKER, PASSWORD)).toBe('wait 30000 at this address');
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
  expect(await attempt('nobody62', ATTACKER)).toBe('wait 30000 at this address');
});

test('hammering one account does not slow the others at the same address', async () => {
  for (let index = 0; index < 100; index += 1) await attempt('ada', ATTACKER);
  expect(await attempt('ben', ATTACKER)).toBe('wrong_credentials');
  expect(await attempt('ben', ATTACKER, PASSWORD)).toBe('in');
});
