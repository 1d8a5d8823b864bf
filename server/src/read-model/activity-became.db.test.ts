import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { makeClient } from '#test/people/clients.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { joinAs } from '#test/people/team.ts';
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

test('a budget is told with whose it is, and what it became', async () => {
  const owner = await registerCustomer(app, deps, 'ada');
  const { client, user } = owner;
  const clientId = await makeClient(owner, 'Bakery');
  const set = (limit: number | null, of: object = {}) =>
    client.call(CALLS.saveBudget, { userId: user.id, limit, ...of });
  await set(1200);
  expect(await newest(owner)).toBe(
    'Ada Example changed the monthly budget of all accounts: now $1,200.00.',
  );
  await set(300, { clientId });
  expect(await newest(owner)).toBe(
    'Ada Example changed the monthly budget of the client Bakery: now $300.00.',
  );
  await set(null, { clientId });
  expect(await newest(owner)).toBe(
    'Ada Example changed the monthly budget of the client Bakery: now none.',
  );
});

test('roles, limits and clients of a colleague are told as what they became then, whatever they are by now', async () => {
  const owner = await registerCustomer(app, deps, 'bob');
  const { user } = await joinAs(deps, app, owner, 'bob.colleague', 'Manager');
  const { client } = owner;
  const of = { userId: owner.user.id, memberId: user.id };
  await client.call(CALLS.changeMember, { ...of, role: 'Manager', spendLimit: 500 });
  await client.call(CALLS.changeMember, { ...of, role: 'Editor' });
  await client.call(CALLS.changeMember, { ...of, role: 'Viewer' });
  const clientId = await makeClient(owner, 'Cinema');
  const grants = [{ clientId, role: 'Viewer' as const }];
  await client.call(CALLS.grantClients, { ...of, allClients: false, grants });
  await client.call(CALLS.grantClients, { ...of, allClients: false, grants: [] });
  await client.call(CALLS.grantClients, { ...of, allClients: true, grants: [] });
  await client.call(CALLS.saveApproval, { userId: owner.user.id, approvalAbove: 250 });
  const { entries = [] } =
    (await client.call(CALLS.findActivity, { userId: owner.user.id })).body.data ?? {};
  const told = entries.map(({ text }) => text.replaceAll('Ada Example', 'X')).slice(0, 8);
  expect(told).toEqual([
    'X changed the amount above which a second person approves: now $250.00.',
    'X changed which clients X works for: now all.',
    'X changed which clients X works for: now none.',
    'X changed which clients X works for: now Cinema.',
    'X added the client Cinema.',
    'X changed the role of X: now Viewer.',
    'X changed the role of X: now Editor.',
    'X changed what X may spend in a month: now $500.00.',
  ]);
  const checked = await client.call(CALLS.checkActivity, { userId: owner.user.id });
  expect(checked.body.data).toMatchObject({ problem: null });
});
