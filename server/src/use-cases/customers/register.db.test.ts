import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { signUp, registration } from '#test/people/customers.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

/** A client with an address of its own, so that one test's limit isn't another's. */
const visitor = (name: string): ApiClient => new ApiClient(app, { address: `visitor-${name}` });

async function countRows(): Promise<Record<string, number>> {
  const { db } = deps.database;
  const tables = [
    'workspace',
    'app_user',
    'email_directory',
    'account',
    'session',
    'owed_mail',
  ] as const;
  const counts = tables.map(async (table) => {
    const { count } = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return [table, count] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

// Shows facts 3.01, 7.03.
test('a visitor becomes a signed-in customer with one connected account', async () => {
  const { igId } = deps.network.addAccount('ada.lovelace', { followers: 1815 });
  const client = visitor('ada');
  const { httpStatus, body } = await client.call(
    CALLS.register,
    registration('ada', {
      email: ' Ada@Example.TEST ',
      igUsername: '@Ada.Lovelace',
      timeZone: 'Europe/London',
    }),
  );
  expect(httpStatus).toBe(200);
  expect(body).toMatchObject({ status: 'success', message: 'Successfully Registered' });
  expect(body.data).toMatchObject({
    name: 'Ada Example',
    email: 'ada@example.test',
    phone: '15550100199',
    credits: 0,
    inSubscription: false,
    package: 3,
    defaultIgUsername: 'ada.lovelace',
    defaultIgId: igId,
    profilePic: expect.stringMatching(/^\/proxy\/[\w-]+$/) as string,
    connectedAccounts: [
      {
        igUsername: 'ada.lovelace',
        igId,
        followers: 1815,
        accountPackageId: null,
        subscriptionState: null,
        problem: null,
        lastReadAt: '2026-11-20T12:00:00.000Z',
      },
    ],
    billingInfo: null,
    creditsTransactions: [],
  });
  const again = await client.call(CALLS.findUser, { userId: body.data?.id ?? '' });
  expect(again.body.data).toEqual(body.data);
});

test('a welcome mail is owed with the registration', async () => {
  const { user } = await signUp(app, deps, 'welcomed');
  const mails = await deps.database.db.selectFrom('owed_mail').select('payload').execute();
  expect(mails.map(({ payload }) => payload)).toContainEqual({ kind: 'welcome', userId: user.id });
});

test('the password is kept only as an argon2id hash', async () => {
  const { user } = await signUp(app, deps, 'hashed', {
    password: 'hunter2 of the north',
  });
  const row = await deps.database.db
    .selectFrom('app_user')
    .selectAll()
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/);
  expect(JSON.stringify(row)).not.toContain('hunter2');
});

// Shows fact 8.07.
test('a taken address is refused, however it is written, and nothing is made', async () => {
  await signUp(app, deps, 'taken');
  deps.network.addAccount('taken2');
  const before = await countRows();
  const { httpStatus, body } = await visitor('taken').call(
    CALLS.register,
    registration('taken2', { email: 'TAKEN@example.test' }),
  );
  expect(httpStatus).toBe(409);
  expect(body).toEqual({
    status: 'error',
    code: 'email_taken',
    message: 'This email address is already registered. Please log in.',
    fields: { email: 'This email address is already registered. Please log in.' },
  });
  expect(await countRows()).toEqual(before);
});

test('of many registrations of one address at once exactly one wins', async () => {
  deps.network.addAccount('doubled');
  const before = await countRows();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      visitor(`double-${index}`).call(CALLS.register, registration('doubled')),
    ),
  );
  expect(answers.map(({ httpStatus }) => httpStatus).sort((a, b) => a - b)).toEqual([
    200,
    ...Array.from({ length: 7 }, () => 409),
  ]);
  const after = await countRows();
  for (const [table, count] of Object.entries(after)) {
    expect({ table, made: count - (before[table] ?? 0) }).toEqual({ table, made: 1 });
  }
});

// Shows fact 1.12.
test('an account the network shows nobody is refused with the causes, and nothing is made', async () => {
  deps.network.addAccount('private.person');
  deps.network.hideAccount('private.person');
  const before = await countRows();
  for (const igUsername of ['private.person', 'nobody.has.this']) {
    const { httpStatus, body } = await visitor('unreadable').call(
      CALLS.register,
      registration('unreadable', { igUsername }),
    );
    expect(httpStatus).toBe(404);
    expect(body.code).toBe('account_unreadable');
    for (const cause of ['misspelled', 'changed', 'private', 'personal', 'age-restricted']) {
      expect(body.message).toContain(cause);
    }
    expect(body.fields).toEqual({ igUsername: body.message });
  }
  expect(await countRows()).toEqual(before);
});

test.each([
  ['throttles', { kind: 'throttled', retryAfterMs: 60_000 }, 'throttled'],
  ['is down', { kind: 'unreachable', reason: 'http_500' }, 'unreachable'],
] as const)(
  'while the network %s the customer is accepted and looked up later',
  async (word, outcome, problem) => {
    const name = word.replace(' ', '');
    const fresh = await createTestDeps();
    const client = new ApiClient(createApp(fresh));
    fresh.network.queueRead({ ...outcome, usage: undefined });
    const { httpStatus, body } = await client.call(CALLS.register, registration(name));
    expect(httpStatus).toBe(200);
    expect(body.data?.connectedAccounts).toMatchObject([
      { igUsername: name, igId: '', profilePic: '', problem, lastReadAt: null },
    ]);
    const watches = await fresh.database.db.selectFrom('poll_schedule').selectAll().execute();
    expect(watches).toMatchObject([{ ig_username: name, is_active: true }]);
    await fresh.database.close();
  },
);

test.each([
  ['name', '   ', 'Please enter your name'],
  ['email', 'not-an-address', 'Please enter a valid email address'],
  ['email', `${'a'.repeat(65)}@example.test`, 'Please enter a valid email address'],
  ['email', `a@${'b'.repeat(64)}.test`, 'Please enter a valid email address'],
  ['email', `a@${'b.'.repeat(130)}test`, 'Please enter a valid email address'],
  ['password', 'short', 'Password must be 8 to 128 characters.'],
  ['password', 'x'.repeat(129), 'Password must be 8 to 128 characters.'],
  ['phone', '555-0100', 'Phone number must be at least 10 characters'],
  [
    'igUsername',
    'two words',
    'Please enter a username: 1 to 30 letters, digits, dots or underscores',
  ],
  ['package', '8', 'Please choose a plan from 1 to 7'],
  ['package', '0', 'Please choose a plan from 1 to 7'],
  ['package', 'three', 'Please choose a plan from 1 to 7'],
  ['timeZone', 'Mars/Olympus', 'This isn’t a time zone'],
] as const)('a sign-up with %s "%s" says so beside the field', async (field, value, message) => {
  const before = await countRows();
  const { httpStatus, body } = await visitor(field).call(
    CALLS.register,
    registration('invalid', { [field]: value }),
  );
  expect(httpStatus).toBe(400);
  expect(body).toEqual({
    status: 'error',
    code: 'invalid_input',
    message,
    fields: { [field]: message },
  });
  expect(await countRows()).toEqual(before);
});

// Shows fact 5.03.
test('an empty form names every field', async () => {
  const response = await visitor('empty').send(CALLS.register.path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: '',
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    status: 'error',
    code: 'invalid_input',
    message: 'Please enter your name',
    fields: {
      name: 'Please enter your name',
      email: 'Please enter a valid email address',
      password: 'Password must be 8 to 128 characters.',
      igUsername: 'Please enter a username: 1 to 30 letters, digits, dots or underscores',
      package: 'Please choose a plan from 1 to 7',
      phone: 'Phone number must be at least 10 characters',
    },
  });
});

test('after 30 registrations an address waits until the hour is over', async () => {
  await signUp(app, deps, 'first');
  const client = visitor('eager');
  const taken = registration('first');
  for (let index = 0; index < 30; index += 1) {
    expect((await client.call(CALLS.register, taken)).httpStatus).toBe(409);
  }
  deps.clock.advance(60_000);
  const limited = await client.call(CALLS.register, taken);
  expect(limited.httpStatus).toBe(429);
  expect(limited.headers.get('retry-after')).toBe(String(59 * 60));
  expect(limited.body).toMatchObject({
    code: 'rate_limited',
    message: 'Too many tries. Please try again in 59 minutes.',
  });
  expect((await visitor('other').call(CALLS.register, taken)).httpStatus).toBe(409);
  deps.clock.advance(59 * 60_000);
  expect((await client.call(CALLS.register, taken)).httpStatus).toBe(409);
});
