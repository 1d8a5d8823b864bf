import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { makeClient } from '#test/clients.ts';
import { registerCustomer } from '#test/customers.ts';
import { joinAs } from '#test/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

test('what people did stays theirs when they have left, until their account is deleted', async () => {
  const owner = await registerCustomer(app, deps, 'olga');
  const { client, user } = owner;
  const texts = async (): Promise<string[]> => {
    const { body } = await client.call(CALLS.findActivity, { userId: user.id });
    return body.data?.entries.map(({ text }) => text) ?? [];
  };
  const manager = await joinAs(deps, app, owner, 'leo', 'Manager');
  const { db } = deps.database;
  const name = 'Leo Lark';
  const { email } = manager.user;
  await db.updateTable('app_user').set({ name }).where('email', '=', email).execute();
  await makeClient(manager, 'Lighthouse');
  await client.call(CALLS.removeMember, { userId: user.id, memberId: manager.user.id });
  expect((await texts()).slice(0, 2)).toEqual([
    `${user.name} removed ${name}.`,
    `${name} added the client Lighthouse.`,
  ]);
  await db.deleteFrom('app_user').where('email', '=', email).execute();
  expect((await texts()).slice(0, 2)).toEqual([
    `${user.name} removed someone who has left.`,
    'Someone who has left added the client Lighthouse.',
  ]);
});
