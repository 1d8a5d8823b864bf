import type { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Call } from '#shared/contract/call.ts';
import { CALLS } from '#shared/contract/calls.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { inputOf } from '#test/calls/call-inputs.ts';
import { type Customer, PASSWORD, registerCustomer } from '#test/people/customers.ts';
import { GUARDED_ROUTES } from '#test/calls/guarded-routes.ts';
import { newestCode } from '#test/people/recovery.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { createApp } from './app.ts';
import { endSession, findSession, openSession } from '#server/identity/sessions/session.service.ts';
import { findUserByEmail } from '#server/identity/users/user.repository.ts';

let deps: TestDeps;
let app: Hono;
let ada: Customer;
let eve: Customer;
let owner: { workspaceId: string; userId: string };
let adasSessionId: string;
/** The cookies of a browser that has proved a recovery code of Ada's. */
let grant: Array<[name: string, value: string]>;
/** A session of Ada's that she has logged out of, and one that she has ended from another browser. */
let ended: { here: string; elsewhere: string };
/** What Ada saw last. */
let seen: unknown;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
  ada = await registerCustomer(app, deps, 'ada');
  eve = await registerCustomer(app, deps, 'eve');
  const row = await findUserByEmail(deps.database.db, ada.user.email);
  owner = { workspaceId: row?.workspace_id ?? '', userId: ada.user.id };
  grant = await proveCode();
  const token = ada.client.cookie('ovation') ?? '';
  adasSessionId = (await findSession(deps, token))?.sessionId ?? '';
  ended = { here: await logOut(), elsewhere: await endFromElsewhere() };
  seen = (await ada.client.call(CALLS.findUser, { userId: ada.user.id })).body;
});

const BROWSER = { keepSignedIn: false, userAgent: '' };

async function proveCode(): Promise<Array<[name: string, value: string]>> {
  const client = new ApiClient(app);
  await client.call(CALLS.verifyUserAndSendEmail, { email: ada.user.email });
  const otp = await newestCode(deps);
  const answer = await client.call(CALLS.verifyOtp, { email: ada.user.email, otp });
  expect(answer.httpStatus).toBe(200);
  return [['ovation-recovery', client.cookie('ovation-recovery') ?? '']];
}
afterAll(() => deps.database.close());

/** @returns the token of a session that its browser has ended */
async function logOut(): Promise<string> {
  const client = new ApiClient(app);
  await client.call(CALLS.login, { email: ada.user.email, password: PASSWORD });
  const token = client.cookie('ovation') ?? '';
  await client.call(CALLS.logout, {});
  return token;
}

/** @returns the token of a session that another browser has ended */
async function endFromElsewhere(): Promise<string> {
  const { token } = await openSession(deps, deps.database.db, { ...owner, ...BROWSER });
  const session = await findSession(deps, token);
  expect(session).toBeDefined();
  if (session) await endSession(deps, session);
  return token;
}

const inputFor = (name: string): Record<string, unknown> =>
  inputOf(name, {
    userId: ada.user.id,
    igUsername: 'ada',
    igId: ada.user.defaultIgId,
    sessionId: adasSessionId,
  });

const calls: Array<[string, Call]> = Object.entries(CALLS);
const guarded = calls.filter(([, call]) => call.session === 'required');

const send = (client: ApiClient, call: Call, input: unknown) => client.call(call, input);

/** Calls that anybody may make; a new one is named here only after thinking about who that is. */
const PUBLIC_CALLS = [
  'about',
  'addTicket',
  'changePassword',
  'confirmReports',
  'findInvitation',
  'login',
  'logout',
  'openPromo',
  'register',
  'signUpInvited',
  'unsubscribe',
  'verifyOtp',
  'verifyUserAndSendEmail',
];
/** What is served to anybody besides the calls; events are let in by their signature alone. */
const OTHER_ROUTES = new Set([
  'POST /provider/events',
  'POST /stripe/events',
  'POST /unsubscribe',
  'POST /content-policy/reports',
  'GET /docs',
  'GET /docs/openapi.json',
  'GET /docs/api-page.css',
  'GET /docs/inter.woff2',
  'GET /docs/bricolage.woff2',
]);
/** What stands before the routes and lets every request through or refuses it. */
const MIDDLEWARE = ['ALL /*', 'ALL /user/*', 'ALL /proxy/*'];
/** Fields that name something of a customer's; three calls take a name nobody owns. */
const OWNED_FIELDS =
  'igId igUsername oldIgUsername sessionId quoteId documentId memberId invitationId workspaceId paymentId accountId'.split(
    ' ',
  );
/** What was done to an account that is gone is found by its name: the log is the asker's own. */
const TAKES_ANY_NAME = new Set(['addAccount', 'lookUpAccount', 'findActivity']);

/** What is served and stands in none of the lists whose members are tried below. */
function routesWithoutCells({ routes }: Pick<Hono, 'routes'>): string[] {
  const listed = [
    ...calls.map(([, { method, path }]) => `${method} ${path}`),
    ...Object.keys(GUARDED_ROUTES),
    ...OTHER_ROUTES,
  ];
  // Beside most of them stands one that refuses other methods.
  const refusing = listed.map((route) => route.replace(/^\w+/, 'ALL'));
  const known = new Set([...listed, ...refusing, ...MIDDLEWARE]);
  return routes.map(({ method, path }) => `${method} ${path}`).filter((route) => !known.has(route));
}

test('every route is a call of the contract or one of the few others', () => {
  expect(routesWithoutCells(app)).toEqual([]);
});

test('a new route is noticed, whatever the method it is for', () => {
  const grown = createApp(deps);
  grown.get('/user/secrets', (c) => c.text('of everybody'));
  grown.all('/everything', (c) => c.text('of everybody'));
  grown.on('PURGE', '/user/user/login', (c) => c.text('gone'));
  expect(routesWithoutCells(grown)).toEqual([
    'GET /user/secrets',
    'ALL /everything',
    'PURGE /user/user/login',
  ]);
});

// Shows fact 6.01.
test('only these calls need no session', () => {
  const open = calls.filter(([, { session }]) => session !== 'required').map(([name]) => name);
  expect(open.toSorted()).toEqual(PUBLIC_CALLS);
});

test.each(calls)('%s has a route', (_name, call) => {
  const routes = app.routes.filter(({ path }) => path === call.path);
  expect(routes.map(({ method }) => method)).toContain(call.method);
});

describe.each(guarded)('%s', (name, call) => {
  const input = (): Record<string, unknown> => inputFor(name);

  // Shows fact 6.04.
  test('refuses who isn’t signed in', async () => {
    for (const body of [input(), {}]) {
      const answer = await send(new ApiClient(app), call, body);
      expect(answer.httpStatus).toBe(401);
      expect(answer.body).toEqual({
        status: 'error',
        code: 'no_session',
        message: 'Please log in to continue.',
      });
    }
  });

  // Shows fact 3.18.
  test('refuses a made-up token', async () => {
    for (const token of ['A'.repeat(43), 'x', '', '../../etc', '%00']) {
      const client = new ApiClient(app);
      client.setCookie('ovation', token);
      expect((await send(client, call, input())).httpStatus).toBe(401);
    }
  });

  // Shows fact 6.04.
  test('refuses another customer, who changes nothing', async () => {
    const before = seen;
    const answer = await send(eve.client, call, input());
    expect(answer.httpStatus).toBe(403);
    expect(answer.body).toMatchObject({ status: 'error', code: 'not_yours' });
    seen = (await ada.client.call(CALLS.findUser, { userId: ada.user.id })).body;
    expect(seen).toEqual(before);
    expect(deps.gateway.charges).toEqual([]);
  });

  test('refuses another customer who asks for Ada’s things as themselves', async () => {
    const asked = input();
    const isOwned = OWNED_FIELDS.some((field) => field in asked) && !TAKES_ANY_NAME.has(name);
    if (!isOwned) return;
    const asEve = 'userId' in asked ? { ...asked, userId: eve.user.id } : asked;
    const answer = await send(eve.client, call, asEve);
    expect([403, 404]).toContain(answer.httpStatus);
    expect(answer.body.data).toBeUndefined();
    expect(deps.gateway.charges).toEqual([]);
  });

  test('refuses who only has the right to set a new password', async () => {
    const client = new ApiClient(app);
    for (const [cookie, value] of grant) client.setCookie(cookie, value);
    const answer = await send(client, call, input());
    expect(answer.httpStatus).toBe(401);
  });

  test('refuses a session that was ended from another browser', async () => {
    const client = new ApiClient(app);
    client.setCookie('ovation', ended.elsewhere);
    expect((await send(client, call, input())).httpStatus).toBe(401);
  });

  test('refuses an ended session', async () => {
    const client = new ApiClient(app);
    client.setCookie('ovation', ended.here);
    expect((await send(client, call, input())).httpStatus).toBe(401);
  });
});

test('the session that was ended was open, and the others of its customer stay so', async () => {
  const { token } = await openSession(deps, deps.database.db, { ...owner, ...BROWSER });
  const client = new ApiClient(app);
  client.setCookie('ovation', token);
  const asked = { userId: ada.user.id };
  expect((await client.call(CALLS.findUser, asked)).httpStatus).toBe(200);
  const session = await findSession(deps, token);
  if (session) await endSession(deps, session);
  expect((await client.call(CALLS.findUser, asked)).httpStatus).toBe(401);
  expect((await ada.client.call(CALLS.findUser, asked)).httpStatus).toBe(200);
});

test('an expired session is refused by every call', async () => {
  const client = new ApiClient(app);
  await client.call(CALLS.login, { email: ada.user.email, password: PASSWORD });
  deps.clock.advance(12 * 3_600_000);
  const statuses: number[] = [];
  for (const [name, call] of guarded) {
    statuses.push((await send(client, call, inputFor(name))).httpStatus);
  }
  expect(new Set(statuses)).toEqual(new Set([401]));
});
