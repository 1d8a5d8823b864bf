import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { signOutCustomer } from '#server/ops/operator/sign-out.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { type Customer, PASSWORD, registerCustomer } from '#test/people/customers.ts';
import { newestCode } from '#test/people/recovery.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { invite, tokenFor } from '#test/people/team.ts';
import { endOwnSession } from './end-sessions.repository.ts';
import { deleteOldSessions } from './session.repository.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

const NEW_PASSWORD = 'a brand new password';

/** A second browser of a customer, signed in for 30 days. */
async function phoneOf({ user }: Customer): Promise<ApiClient> {
  const phone = new ApiClient(app, { address: '192.0.2.80' });
  await phone.call(CALLS.login, { email: user.email, password: PASSWORD, keepSignedIn: true });
  return phone;
}

/** What a browser is told when it asks for its customer. */
async function toldTo(client: ApiClient, { user }: Customer): Promise<unknown[]> {
  const { httpStatus, body } = await client.call(CALLS.findUser, { userId: user.id });
  return [httpStatus, body.code, body.message];
}

const SIGNED_OUT = [401, 'session_ended', 'This device was logged out from another one.'];
const PASSWORD_CHANGED = [
  401,
  'session_ended',
  'The password was changed, so this device was logged out.',
];
const DELETED = [401, 'session_ended', 'This account was deleted.'];
const UNKNOWN = [401, 'no_session', 'Please log in to continue.'];
const EXPIRED = [401, 'session_expired', 'Your session has ended. Please log in again.'];

test('a device that was signed out from another one is told so, as long as its cookie lives', async () => {
  const ada = await registerCustomer(app, deps, 'ada');
  const phone = await phoneOf(ada);
  const devices = await ada.client.call(CALLS.findSessions, { userId: ada.user.id });
  const other = devices.body.data?.find(({ isThis }) => !isThis)?.id ?? '';
  await ada.client.call(CALLS.endSession, { userId: ada.user.id, sessionId: other });
  expect(await toldTo(phone, ada)).toEqual(SIGNED_OUT);
  deps.clock.advance(29 * 86_400_000);
  const now = new Date(deps.clock.now());
  const deadSince = new Date(deps.clock.now() - 30 * 86_400_000);
  await deleteOldSessions(deps.database.db, { deadSince, now });
  expect(await toldTo(phone, ada)).toEqual(SIGNED_OUT);
});

test('nobody ends a session of somebody else who lives in the same workspace', async () => {
  const fay = await registerCustomer(app, deps, 'fay');
  const { workspace_id: workspaceId, id: sessionId } = await deps.database.db
    .selectFrom('session')
    .select(['workspace_id', 'id'])
    .where('user_id', '=', fay.user.id)
    .executeTakeFirstOrThrow();
  const now = new Date(deps.clock.now());
  const end = (userId: string) =>
    deps.database.transaction((tx) => endOwnSession(tx, { workspaceId, userId }, sessionId, now));
  expect(await end(deps.ids.uuid())).toBe(false);
  expect((await toldTo(fay.client, fay))[0]).toBe(200);
  expect(await end(fay.user.id)).toBe(true);
});

test('who is taken out of a workspace keeps the sessions that they have elsewhere', async () => {
  const [gus, hal] = [
    await registerCustomer(app, deps, 'gus'),
    await registerCustomer(app, deps, 'hal.owner'),
  ];
  const atHome = await phoneOf(gus);
  await invite(hal, gus.user.email, 'Viewer');
  const token = await tokenFor(deps, gus.user.email);
  const joined = await gus.client.call(CALLS.acceptInvitation, { userId: gus.user.id, token });
  const member = { userId: hal.user.id, memberId: joined.body.data?.id ?? '' };
  expect((await hal.client.call(CALLS.removeMember, member)).httpStatus).toBe(200);
  expect((await toldTo(atHome, gus))[0]).toBe(200);
  expect((await toldTo(gus.client, gus))[0]).toBe(401);
});

test('a changed or recovered password tells every other device so', async () => {
  const ben = await registerCustomer(app, deps, 'ben');
  const phone = await phoneOf(ben);
  const input = { userId: ben.user.id, currentPassword: PASSWORD, password: NEW_PASSWORD };
  await ben.client.call(CALLS.updatePassword, input);
  expect(await toldTo(phone, ben)).toEqual(PASSWORD_CHANGED);
  const visitor = new ApiClient(app, { address: '192.0.2.81' });
  const { email } = ben.user;
  await visitor.call(CALLS.verifyUserAndSendEmail, { email });
  await visitor.call(CALLS.verifyOtp, { email, otp: await newestCode(deps) });
  await visitor.call(CALLS.changePassword, { email, password: 'yet another password' });
  expect(await toldTo(ben.client, ben)).toEqual(PASSWORD_CHANGED);
});

test('a deleted account tells its devices so until their cookies are over, and nothing else of it is kept', async () => {
  const cem = await registerCustomer(app, deps, 'cem');
  const phone = await phoneOf(cem);
  await cem.client.call(CALLS.deleteAccount, { userId: cem.user.id, password: PASSWORD });
  expect(await toldTo(phone, cem)).toEqual(DELETED);
  const rows = () => deps.database.db.selectFrom('deleted_session').selectAll().execute();
  expect((await rows()).map((row) => Object.keys(row).toSorted())).toEqual([
    ['expires_at', 'token_hash'],
    ['expires_at', 'token_hash'],
  ]);
  const today = new Date(deps.clock.now());
  await deleteOldSessions(deps.database.db, { deadSince: today, now: today });
  expect(await toldTo(phone, cem)).toEqual(DELETED);
  deps.clock.advance(31 * 86_400_000);
  const now = new Date(deps.clock.now());
  await deleteOldSessions(deps.database.db, { deadSince: now, now });
  expect(await rows()).toEqual([]);
  expect(await toldTo(phone, cem)).toEqual(UNKNOWN);
});

test('support signs a customer’s devices out as the customer would', async () => {
  const dan = await registerCustomer(app, deps, 'dan');
  await signOutCustomer(deps, dan.user.email);
  expect(await toldTo(dan.client, dan)).toEqual(SIGNED_OUT);
});

test('a session that ran out or was replaced by a log-in has expired; one that never was is none, like no cookie', async () => {
  const eve = await registerCustomer(app, deps, 'eve');
  const former = eve.client.cookie('ovation') ?? '';
  await eve.client.call(CALLS.login, { email: eve.user.email, password: PASSWORD });
  const stale = new ApiClient(app);
  stale.setCookie('ovation', former);
  expect(await toldTo(stale, eve)).toEqual(EXPIRED);
  for (const token of ['A'.repeat(43), 'short']) {
    stale.setCookie('ovation', token);
    expect(await toldTo(stale, eve)).toEqual(UNKNOWN);
  }
  deps.clock.advance(13 * 3_600_000);
  expect(await toldTo(eve.client, eve)).toEqual(EXPIRED);
  expect(await toldTo(new ApiClient(app), eve)).toEqual(UNKNOWN);
});
