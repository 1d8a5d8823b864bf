import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import { createApp } from '#server/main/app.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { type Customer, PASSWORD, registerCustomer } from '#test/people/customers.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { keepNotices } from '#server/audit/audit-notices.job.ts';
import { runCommand } from './command-line.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

const said = async (...command: string[]) => {
  const { isDone, lines } = await runCommand(deps, command);
  return `${isDone ? 'done' : 'not done'}: ${lines.join('\n')}`;
};
const find = async ({ client, user }: Customer) =>
  (await client.call(CALLS.findUser, { userId: user.id })).httpStatus;

/** A customer, and the same one in a second browser. */
async function signedInTwice(name: string): Promise<[Customer, Customer]> {
  const first = await registerCustomer(app, deps, name);
  const client = new ApiClient(app);
  await client.call(CALLS.login, { email: first.user.email, password: PASSWORD });
  return [first, { client, user: first.user }];
}

test('an operator ends all sessions of one customer, by address or id, and of nobody else', async () => {
  const ada = await signedInTwice('ada');
  const [ben] = await signedInTwice('ben');
  expect(await said('account', 'ada@example.test')).toMatch(/"lastSeenAt"[\s\S]+"lastSeenAt"/);
  expect(await said('sign-out', ' ADA@example.test ')).toBe('done: Sessions ended: 2.');
  expect(await Promise.all(ada.map(find))).toEqual([401, 401]);
  expect(await find(ben)).toBe(200);
  expect(await said('sign-out', ben.user.id)).toBe('done: Sessions ended: 2.');
  expect(await find(ben)).toBe(401);
  expect(await said('account', 'ben@example.test')).toContain('"sessions": []');
  expect(await said('sign-out', 'nobody@example.test')).toBe('not done: No customer found.');
  expect(await said('sign-out')).toContain('npm run operator');
});

test('an operator sees the sessions of everybody in a workspace, of whoever has joined it too', async () => {
  const fay = await registerCustomer(app, deps, 'fay');
  await joinAs(deps, app, fay, 'gus', 'Viewer');
  const sheet = await said('account', 'fay@example.test');
  expect(sheet.match(/"email"/g)).toHaveLength(2);
  expect(sheet.match(/"lastSeenAt"/g)).toHaveLength(2);
  expect(sheet).not.toContain('homeId');
});

test('an operator ends every session there is', async () => {
  // Those that have ended by themselves aren’t counted.
  await signedInTwice('bea');
  deps.clock.advance(365 * DAY_MS);
  const [cleo] = await signedInTwice('cleo');
  const [dan] = await signedInTwice('dan');
  expect(await said('sign-out', 'everybody')).toBe('done: Sessions ended: 4.');
  expect([await find(cleo), await find(dan)]).toEqual([401, 401]);
});

test('the audit trail of a customer and of an address nobody has is shown', async () => {
  await signedInTwice('eve');
  await said('sign-out', 'eve@example.test');
  for (const email of ['eve@example.test', 'stranger@example.test']) {
    await new ApiClient(app).call(CALLS.login, { email, password: 'a wrong password' });
  }
  await keepNotices(deps);
  const hers = await said('audit', 'Eve@example.test');
  for (const action of ['registered', 'sessions_ended', 'login_failed', 'account_looked_up']) {
    expect(hers).toContain(`"${action}"`);
  }
  const strangers = await said('audit', 'stranger@example.test');
  expect(strangers.match(/"action"/g)).toEqual(['"action"']);
  expect(strangers).toContain('"login_failed"');
  expect(await said('audit', 'never@example.test')).toBe('done: Nothing found.');
});
