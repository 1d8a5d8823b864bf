import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { putView } from '#server/identity/members/account-view.repository.ts';
import { createApp } from '#server/main/app.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { type Customer, PASSWORD, registerCustomer, signUp } from '#test/people/customers.ts';
import { giveCredits } from '#test/money/credits-fixture.ts';
import { makeClient } from '#test/people/clients.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

const NEW_PASSWORD = 'a brand new password';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

const logIn = async ({ user }: Customer, password: string, userAgent = '') => {
  const client = new ApiClient(app);
  const { httpStatus } = await client.call(
    CALLS.login,
    { email: user.email, password },
    { 'user-agent': userAgent },
  );
  return { client, httpStatus };
};
const devices = async ({ client, user }: Customer) =>
  (await client.call(CALLS.findSessions, { userId: user.id })).body.data ?? [];

test('name, phone and time zone are saved; the e-mail stays', async () => {
  const { client, user } = await signUp(app, deps, 'profile');
  const { httpStatus, body } = await client.call(CALLS.updateProfile, {
    userId: user.id,
    name: ' Augusta Ada ',
    phone: '(555) 010-0123',
    timeZone: 'Europe/London',
  });
  expect(httpStatus).toBe(200);
  expect(body.data).toEqual({
    ...user,
    name: 'Augusta Ada',
    membership: {
      ...user.membership,
      workspaces: [{ ...user.membership?.workspaces[0], name: 'Augusta Ada' }],
    },
    phone: '5550100123',
    timeZone: 'Europe/London',
    versions: expect.anything() as unknown,
  });
  const bad = { userId: user.id, name: '', phone: '1', timeZone: 'Nowhere/Land' };
  const refused = await client.call(CALLS.updateProfile, bad);
  expect(refused.httpStatus).toBe(400);
  expect(Object.keys(refused.body.fields ?? {})).toEqual(['name', 'phone', 'timeZone']);
});

// Shows fact 7.16.
test('a changed password ends every other session and keeps this one', async () => {
  const ada = await registerCustomer(app, deps, 'ada');
  const other = await logIn(ada, PASSWORD);
  const { httpStatus } = await ada.client.call(CALLS.updatePassword, {
    userId: ada.user.id,
    currentPassword: PASSWORD,
    password: NEW_PASSWORD,
  });
  expect(httpStatus).toBe(200);
  const find = (client: ApiClient) => client.call(CALLS.findUser, { userId: ada.user.id });
  expect((await find(ada.client)).httpStatus).toBe(200);
  expect((await find(other.client)).httpStatus).toBe(401);
  expect((await logIn(ada, PASSWORD)).httpStatus).toBe(401);
  expect((await logIn(ada, NEW_PASSWORD)).httpStatus).toBe(200);
  const mails = await deps.database.db.selectFrom('owed_mail').select('payload').execute();
  const changed = { kind: 'password_changed', userId: ada.user.id };
  expect(mails.map(({ payload }) => payload)).toContainEqual(changed);
});

test('a wrong current password changes nothing; after five the customer waits', async () => {
  const ben = await registerCustomer(app, deps, 'ben');
  const change = (currentPassword: string, password = NEW_PASSWORD) =>
    ben.client.call(CALLS.updatePassword, { userId: ben.user.id, currentPassword, password });
  const wrong = await change('wrong password');
  expect(wrong.httpStatus).toBe(401);
  expect(wrong.body).toMatchObject({
    code: 'wrong_credentials',
    fields: { currentPassword: 'Your current password isn’t right.' },
  });
  const short = await change(PASSWORD, 'short');
  expect(short.body.message).toBe('Password must be 8 to 128 characters.');
  for (let index = 0; index < 4; index += 1) await change('wrong password');
  expect((await change(PASSWORD)).body.code).toBe('rate_limited');
  expect((await logIn(ben, PASSWORD)).httpStatus).toBe(200);
  deps.clock.advance(15 * 60_000);
  expect((await change(PASSWORD)).httpStatus).toBe(200);
});

test('wrong own passwords in one browser keep no other from changing the password', async () => {
  const dan = await registerCustomer(app, deps, 'dan');
  const stolen = await logIn(dan, PASSWORD);
  const change = (client: ApiClient, currentPassword: string) =>
    client.call(CALLS.updatePassword, {
      userId: dan.user.id,
      currentPassword,
      password: NEW_PASSWORD,
    });
  for (let index = 0; index < 5; index += 1) await change(stolen.client, 'wrong password');
  expect((await change(stolen.client, PASSWORD)).body.code).toBe('rate_limited');
  expect((await change(dan.client, PASSWORD)).httpStatus).toBe(200);
});

test('signed-in browsers are listed, this one marked, and each can be ended', async () => {
  const cem = await registerCustomer(app, deps, 'cem');
  const phone = await logIn(cem, PASSWORD, 'Phone/1');
  const listed = await devices(cem);
  expect(new Map(listed.map(({ userAgent, isThis }) => [userAgent, isThis]))).toEqual(
    new Map([
      ['', true],
      ['Phone/1', false],
    ]),
  );
  const sessionId = listed.find(({ isThis }) => !isThis)?.id ?? '';
  const end = () => cem.client.call(CALLS.endSession, { userId: cem.user.id, sessionId });
  expect((await end()).body.data).toMatchObject([{ isThis: true }]);
  const find = await phone.client.call(CALLS.findUser, { userId: cem.user.id });
  expect(find.httpStatus).toBe(401);
  expect(await end()).toMatchObject({ httpStatus: 404, body: { code: 'not_found' } });
});

test('ending the own session signs out; another customer’s can’t be ended', async () => {
  const dee = await registerCustomer(app, deps, 'dee');
  const eve = await registerCustomer(app, deps, 'eve');
  const [own] = await devices(dee);
  const sessionId = own?.id ?? '';
  const foreign = await eve.client.call(CALLS.endSession, { userId: eve.user.id, sessionId });
  expect(foreign.httpStatus).toBe(404);
  const ended = await dee.client.call(CALLS.endSession, { userId: dee.user.id, sessionId });
  expect(ended.body.data).toEqual([]);
  expect(dee.client.cookie('ovation')).toBeUndefined();
});

test('the export of an owner has clients, who works for them, tags, budgets and addresses outside', async () => {
  const owner = await registerCustomer(app, deps, 'ida');
  await payPlan(deps, owner);
  const userId = owner.user.id;
  const clientId = await makeClient(owner, 'Bakery');
  const staff = await joinAs(deps, app, owner, 'ida.staff', 'Editor');
  const grants = [{ clientId, role: 'Viewer' as const }];
  const granted = { userId, memberId: staff.user.id, allClients: false, grants };
  const answers = [
    await owner.client.call(CALLS.grantClients, granted),
    await owner.client.call(CALLS.tagAccounts, {
      userId,
      igUsernames: ['ida'],
      add: ['wholesale'],
      remove: [],
    }),
    await owner.client.call(CALLS.saveBudget, { userId, clientId, limit: 123 }),
    await owner.client.call(CALLS.saveReportMail, {
      userId,
      clientId,
      addresses: ['baker@example.test'],
      memberIds: [],
    }),
  ];
  expect(answers.map(({ body }) => body.status)).toEqual(answers.map(() => 'success'));
  const workspaceId = owner.user.membership?.workspaceId ?? '';
  const keepView = (by: Customer, name: string, isShared: boolean) =>
    deps.database.transaction(async (tx) => {
      const { user_id } = await tx
        .selectFrom('membership')
        .select('user_id')
        .where('id', '=', by.user.id)
        .executeTakeFirstOrThrow();
      const view = { id: deps.ids.uuid(), name, search: '', isShared };
      await putView(tx, { workspaceId, userId: user_id }, view);
    });
  await keepView(owner, 'For all', true);
  await keepView(owner, 'Mine', false);
  await keepView(staff, 'Theirs', false);
  const { body } = await owner.client.call(CALLS.exportData, { userId });
  expect(body.data).toMatchObject({
    views: [{ name: 'Mine' }],
    sharedViews: [{ name: 'For all' }],
    clients: [{ name: 'Bakery' }],
    grants: [{ client_id: clientId, role: 'Viewer' }],
    accounts: [{ tags: ['wholesale'] }],
    budgets: [{ client_id: clientId, limit_cents: 12_300 }],
    reportAddresses: [{ email: 'baker@example.test', confirmed_at: null }],
    reportReaders: [{ client_id: clientId, addresses: ['baker@example.test'] }],
  });
  // Of the workspace, a member has nothing.
  const theirs = await staff.client.call(CALLS.exportData, { userId: staff.user.id });
  expect(theirs.body.data).not.toHaveProperty('clients');
  expect(theirs.body.data).toMatchObject({ views: [{ name: 'Theirs' }] });
  expect(JSON.stringify(theirs.body.data)).not.toContain('baker@example.test');
});

test('an expired session is in no list', async () => {
  const fay = await registerCustomer(app, deps, 'fay');
  deps.clock.advance(12 * 3_600_000);
  const { client } = await logIn(fay, PASSWORD);
  expect(await devices({ client, user: fay.user })).toHaveLength(1);
});

test('the export holds everything of the customer’s, no secret, and nothing of another’s', async () => {
  const gus = await signUp(app, deps, 'gus');
  const hal = await registerCustomer(app, deps, 'hal');
  deps.network.addPost('gus', { caption: 'my first picture' });
  await payPlan(deps, gus);
  await giveCredits(deps, gus.user.membership?.workspaceId ?? '', 40);
  const { httpStatus, body } = await gus.client.call(CALLS.exportData, { userId: gus.user.id });
  expect(httpStatus).toBe(200);
  const text = JSON.stringify(body.data);
  for (const own of [gus.user.email, gus.user.phone, 'my first picture', 'Monthly plan']) {
    expect(text).toContain(own);
  }
  const { ledgerEntries } = body.data as { ledgerEntries: Array<{ amount: number }> };
  expect(new Set(ledgerEntries.map(({ amount }) => amount))).toEqual(new Set([-40, 40]));
  for (const secret of ['argon2id', 'token_hash', 'payment_method_id', 'gateway_key', 'sealed']) {
    expect(text).not.toContain(secret);
  }
  expect(text).not.toContain(hal.user.email);
  expect(text).not.toContain(hal.user.id);
  for (let index = 0; index < 4; index += 1) {
    await gus.client.call(CALLS.exportData, { userId: gus.user.id });
  }
  const limited = await gus.client.call(CALLS.exportData, { userId: gus.user.id });
  expect(limited.httpStatus).toBe(429);
});
