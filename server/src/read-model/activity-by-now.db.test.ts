import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { makeClient } from '#test/clients.ts';
import { type Customer, registerCustomer } from '#test/customers.ts';
import { joinAs } from '#test/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

async function newest({ client, user }: Customer): Promise<string | undefined> {
  const { body } = await client.call(CALLS.findActivity, { userId: user.id });
  return body.data?.entries[0]?.text;
}

test('a budget that was changed is told with whose it is, and what it is by now', async () => {
  const owner = await registerCustomer(app, deps, 'ada');
  const { client, user } = owner;
  const clientId = await makeClient(owner, 'Bakery');
  const set = (limit: number | null, of: object = {}) =>
    client.call(CALLS.saveBudget, { userId: user.id, limit, ...of });
  await set(1200);
  expect(await newest(owner)).toBe(
    'Ada Example changed the budget of all accounts: now $1,200.00 a month.',
  );
  await set(300, { clientId });
  expect(await newest(owner)).toBe(
    'Ada Example changed the budget of the client Bakery: now $300.00 a month.',
  );
  await set(null, { clientId });
  expect(await newest(owner)).toBe(
    'Ada Example changed the budget of the client Bakery: now none.',
  );
});

test('a role that was changed is told with what it is by now', async () => {
  const owner = await registerCustomer(app, deps, 'bob');
  const { user } = await joinAs(deps, app, owner, 'bob.colleague', 'Editor');
  const change = { userId: owner.user.id, memberId: user.id, role: 'Viewer' } as const;
  await owner.client.call(CALLS.changeMember, change);
  expect(await newest(owner)).toBe('Ada Example changed the role of Ada Example: now Viewer.');
});
