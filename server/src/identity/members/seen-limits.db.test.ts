import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
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

test('what somebody may spend is told to them and to who sees money', async () => {
  const owner = await registerCustomer(app, deps, 'sid');
  const [mia, max, vic] = [
    await joinAs(deps, app, owner, 'sid.mia', 'Manager'),
    await joinAs(deps, app, owner, 'sid.max', 'Manager'),
    await joinAs(deps, app, owner, 'sid.vic', 'Viewer'),
  ];
  const { client, user } = owner;
  const change = {
    userId: user.id,
    memberId: mia.user.id,
    role: 'Manager',
    spendLimit: 25,
  } as const;
  await client.call(CALLS.changeMember, change);
  const limitSeenBy = async (person: Customer) => {
    const { body } = await person.client.call(CALLS.findTeam, { userId: person.user.id });
    return body.data?.members.find(({ id }) => id === mia.user.id)?.spendLimit;
  };
  for (const person of [owner, mia, max]) expect(await limitSeenBy(person)).toBe(25);
  expect(await limitSeenBy(vic)).toBeNull();
});

test('whoever becomes an owner has no limit, and gets none back as a manager', async () => {
  const owner = await registerCustomer(app, deps, 'ola');
  const pia = await joinAs(deps, app, owner, 'ola.pia', 'Manager');
  const { client, user } = owner;
  const change = { userId: user.id, memberId: pia.user.id };
  const limits: Array<number | null | undefined> = [];
  for (const role of ['Manager', 'Owner', 'Manager'] as const) {
    const spendLimit = limits.length === 0 ? 25 : undefined;
    const { body } = await client.call(CALLS.changeMember, { ...change, role, spendLimit });
    limits.push(body.data?.members.find(({ id }) => id === pia.user.id)?.spendLimit);
  }
  expect(limits).toEqual([25, null, null]);
});
