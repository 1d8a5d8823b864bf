import type { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_SESSION_CODES } from '#shared/contract/error-code.ts';
import { CALLS } from '#shared/contract/calls.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { registerCustomer } from '#test/people/customers.ts';
import { GUARDED_ROUTES } from '#test/calls/guarded-routes.ts';
import { newestCode } from '#test/people/recovery.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { createApp } from './app.ts';
import { endSession, findSession, openSession } from '#server/identity/sessions/session.service.ts';
import { findUserByEmail } from '#server/identity/users/user.repository.ts';

const BROWSER = { keepSignedIn: false, userAgent: '' };
let deps: TestDeps;
let app: Hono;
let owner: { workspaceId: string; userId: string };
/** The cookie of a browser that has proved a recovery code. */
let grant: string;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
  const { user } = await registerCustomer(app, deps, 'ada');
  const row = await findUserByEmail(deps.database.db, user.email);
  owner = { workspaceId: row?.workspace_id ?? '', userId: user.id };
  const client = new ApiClient(app);
  await client.call(CALLS.verifyUserAndSendEmail, { email: user.email });
  await client.call(CALLS.verifyOtp, { email: user.email, otp: await newestCode(deps) });
  grant = `ovation-recovery=${client.cookie('ovation-recovery') ?? ''}`;
});
afterAll(() => deps.database.close());

/** Asks for a guarded route with these cookies, a body that passes nothing where it takes one. */
async function statusOf(route: string, cookie: string): Promise<number> {
  const [method = 'GET'] = route.split(' ');
  const body = method === 'POST' ? { body: '{}' } : {};
  const headers = { cookie, 'content-type': 'application/json' };
  const answer = await app.request(GUARDED_ROUTES[route] ?? '', { method, headers, ...body });
  const { code } = answer.status === 200 ? {} : ((await answer.json()) as { code?: string });
  expect(answer.status === 401).toBe(NO_SESSION_CODES.some((each) => each === code));
  return answer.status;
}

describe.each(Object.keys(GUARDED_ROUTES))('%s', (route) => {
  test('is nobody’s without a session, with a made-up one, or with the right to set a new password', async () => {
    const cookies = ['', `ovation=${'A'.repeat(43)}`, grant];
    for (const cookie of cookies) expect(await statusOf(route, cookie)).toBe(401);
  });

  test('is nobody’s with a session that was ended or has expired', async () => {
    const ended = await openSession(deps, deps.database.db, { ...owner, ...BROWSER });
    const session = await findSession(deps, ended.token);
    if (!session) throw new Error('no session');
    await endSession(deps, session);
    expect(await statusOf(route, `ovation=${ended.token}`)).toBe(401);
    const expired = await openSession(deps, deps.database.db, { ...owner, ...BROWSER });
    await deps.database.db
      .updateTable('session')
      .set({ expires_at: new Date(deps.clock.now()) })
      .where('id', '=', (await findSession(deps, expired.token))?.sessionId ?? '')
      .execute();
    expect(await statusOf(route, `ovation=${expired.token}`)).toBe(401);
  });
});

test('with a session that runs, they are not refused for want of one', async () => {
  const { token } = await openSession(deps, deps.database.db, { ...owner, ...BROWSER });
  // The stream, which would not end, has tests of its own.
  const routes = Object.keys(GUARDED_ROUTES).filter((route) => !route.endsWith('/stream'));
  for (const route of routes) expect(await statusOf(route, `ovation=${token}`)).not.toBe(401);
});
