import type { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { type Customer, PASSWORD, registerCustomer } from '#test/people/customers.ts';
import { newestCode, wrongCodeFor } from '#test/people/recovery.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { checkAuditChain } from '#server/ops/invariants/check-all.ts';
import { OPERATOR_WORKSPACE_ID } from '#server/mail/owed-mail.repository.ts';
import { findUserByEmail } from '#server/identity/users/user.repository.ts';
import { auditedEmail } from './audit-notice.repository.ts';
import { keepNotices, NOTICES_EACH } from './audit-notices.job.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());
beforeEach(async () => {
  deps.clock.advance(3_600_000);
  await keepNotices(deps);
});

const logIn = (email: string, password: string, address = '203.0.113.9') =>
  new ApiClient(app, { address }).call(CALLS.login, { email, password });

async function workspaceOf({ user }: Customer): Promise<string> {
  const row = await findUserByEmail(deps.database.db, user.email);
  if (!row) throw new Error('registered, but not found');
  return row.workspace_id;
}

/** What the chain of a workspace has taken in since `since`. */
async function chain(workspaceId: string, since = 0): Promise<string[]> {
  const rows = await deps.database.db
    .selectFrom('audit_event')
    .select(['actor', 'action', 'subject'])
    .where('workspace_id', '=', workspaceId)
    .where('seq', '>', since)
    .orderBy('seq')
    .execute();
  return rows.map(({ actor, action, subject }) => `${actor} ${action} ${subject ?? '-'}`);
}

const length = async (workspaceId: string) => (await chain(workspaceId)).length;

test('a wrong password stands in the chain of its customer, an unknown address in the operator’s', async () => {
  const ada = await registerCustomer(app, deps, 'ada');
  const ours = await workspaceOf(ada);
  const [before, beforeThere] = [await length(ours), await length(OPERATOR_WORKSPACE_ID)];
  await logIn(' ADA@example.test', 'a wrong password');
  await logIn('Nobody@example.test', 'a wrong password');
  expect(await chain(ours, before)).toEqual([]);
  await keepNotices(deps);
  const name = (email: string) => auditedEmail(deps.settings, email);
  expect(await chain(ours, before)).toEqual([`visitor login_failed ${name('ada@example.test')}`]);
  expect(await chain(OPERATOR_WORKSPACE_ID, beforeThere)).toEqual([
    `visitor login_failed ${name('nobody@example.test')}`,
  ]);
  expect(await keepNotices(deps)).toBe(0);
  expect(await checkAuditChain(deps.database.db)).toEqual([]);
});

test('no address and no password is readable in what is logged', async () => {
  await logIn('secretive@example.test', 'a canary password');
  const { db } = deps.database;
  const logged = JSON.stringify(await db.selectFrom('audit_notice').selectAll().execute());
  expect(logged).toContain('login_failed');
  expect(logged).not.toMatch(/secretive|canary|203\.0\.113/);
});

test('a limit is audited once a window, however often it is run into', async () => {
  const before = await length(OPERATOR_WORKSPACE_ID);
  const ask = () =>
    new ApiClient(app, { address: '203.0.113.50' }).call(CALLS.verifyUserAndSendEmail, {
      email: 'limited@example.test',
    });
  for (let count = 0; count < 12; count += 1) await ask();
  await keepNotices(deps);
  const grown = await chain(OPERATOR_WORKSPACE_ID, before);
  expect(grown.filter((line) => line.includes('recovery_requested'))).toHaveLength(3);
  expect(grown.filter((line) => line.includes('limit_reached recovery-code:'))).toHaveLength(1);
});

test('log-ins refused by the limit write nothing more', async () => {
  for (let count = 0; count < 6; count += 1) await logIn('hammered@example.test', 'wrong');
  expect((await logIn('hammered@example.test', 'wrong')).httpStatus).toBe(429);
  const count = async () =>
    (await deps.database.db.selectFrom('audit_notice').selectAll().execute()).length;
  const before = await count();
  for (let index = 0; index < 20; index += 1) await logIn('hammered@example.test', 'wrong');
  expect(await count()).toBe(before);
});

test('thousands of failures in a minute become a few lines and their number', async () => {
  const before = await length(OPERATOR_WORKSPACE_ID);
  const at = new Date(deps.clock.now());
  const notices = Array.from({ length: 3000 }, (_, index) => ({
    workspace_id: OPERATOR_WORKSPACE_ID,
    at,
    actor: 'visitor',
    action: 'login_failed',
    subject: `email:${index}`,
  }));
  await deps.database.db.insertInto('audit_notice').values(notices).execute();
  await keepNotices(deps);
  const grown = await chain(OPERATOR_WORKSPACE_ID, before);
  expect(grown).toHaveLength(NOTICES_EACH + 1);
  expect(grown[0]).toBe('visitor login_failed email:0');
  expect(grown.at(-1)).toBe(`system login_failed and ${3000 - NOTICES_EACH} more`);
  expect(await checkAuditChain(deps.database.db)).toEqual([]);
});

test('two nodes at once keep each notice once', async () => {
  const before = await length(OPERATOR_WORKSPACE_ID);
  for (let index = 0; index < 5; index += 1) await logIn(`twice${index}@example.test`, 'wrong');
  await Promise.all([keepNotices(deps), keepNotices(deps)]);
  expect(await chain(OPERATOR_WORKSPACE_ID, before)).toHaveLength(5);
  expect(await checkAuditChain(deps.database.db)).toEqual([]);
});

test('everything about signing in stands in the customer’s chain', async () => {
  const { client, user } = await registerCustomer(app, deps, 'audited');
  const workspaceId = await workspaceOf({ client, user });
  const { email } = user;
  await client.call(CALLS.logout, {});
  await client.call(CALLS.login, { email, password: 'a wrong password' });
  await client.call(CALLS.login, { email, password: PASSWORD });
  const other = new ApiClient(app, { address: '203.0.113.60' });
  await other.call(CALLS.login, { email, password: PASSWORD });
  const devices = await client.call(CALLS.findSessions, { userId: user.id });
  const there = devices.body.data?.find(({ isThis }) => !isThis);
  await client.call(CALLS.endSession, { userId: user.id, sessionId: there?.id ?? '' });
  const change = { currentPassword: PASSWORD, password: 'another good passphrase' };
  await client.call(CALLS.updatePassword, { userId: user.id, ...change, currentPassword: 'wrong' });
  await client.call(CALLS.updatePassword, { userId: user.id, ...change });
  await client.call(CALLS.verifyUserAndSendEmail, { email });
  const code = await newestCode(deps);
  await client.call(CALLS.verifyOtp, { email, otp: wrongCodeFor(code, 1) });
  await client.call(CALLS.verifyOtp, { email, otp: code });
  await client.call(CALLS.changePassword, { email, password: PASSWORD });
  await client.call(CALLS.exportData, { userId: user.id });
  await client.call(CALLS.deleteAccount, { userId: user.id, password: PASSWORD });
  await keepNotices(deps);
  const actions = (await chain(workspaceId)).map((line) => line.split(' ')[1]);
  expect(new Set(actions)).toEqual(
    new Set([
      'account_deleted',
      'data_exported',
      'logged_in',
      'logged_out',
      'login_failed',
      'password_changed',
      'password_check_failed',
      'password_recovered',
      'recovery_code_refused',
      'recovery_requested',
      'registered',
      'session_ended',
    ]),
  );
});
