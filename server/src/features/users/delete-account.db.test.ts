import type { Hono } from 'hono';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/app.ts';
import { type Customer, PASSWORD, registerCustomer, registration } from '#test/customers.ts';
import { payPlan } from '#test/paying-customer.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

const remove = ({ client, user }: Customer, password = PASSWORD) =>
  client.call(CALLS.deleteAccount, { userId: user.id, password });

/** Every row of every table, as text. */
async function everything(): Promise<string> {
  const { db } = deps.database;
  const { rows } = await sql<{ name: string }>`select table_name as name
    from information_schema.tables where table_schema = 'public'`.execute(db);
  const texts: string[] = [];
  for (const { name } of rows) {
    const all = await sql<{
      text: string;
    }>`select t::text as text from ${sql.table(name)} t`.execute(db);
    texts.push(...all.rows.map(({ text }) => `${name}: ${text}`));
  }
  return texts.join('\n');
}

test('nothing personal is left, the money is, and the address is free again', async () => {
  const customer = await registerCustomer(app, deps, 'ada.personal', {
    email: 'ada-personal@example.test',
    name: 'Ada Personal',
    phone: '5550109876',
  });
  const { igId } = deps.network.addAccount('ada.second');
  await customer.client.call(CALLS.addAccount, {
    userId: customer.user.id,
    igUsername: 'ada.second',
  });
  const post = deps.network.addPost('ada.personal', { caption: 'a private thought' });
  await payPlan(customer);
  const { db } = deps.database;
  const before = await db.selectFrom('charge').select(['id', 'amount_cents', 'state']).execute();
  expect(before).toHaveLength(1);
  expect((await remove(customer)).httpStatus).toBe(200);
  const left = await everything();
  const personal = [
    customer.user.email,
    customer.user.name,
    customer.user.phone,
    'ada.personal',
    'ada.second',
    igId,
    customer.user.defaultIgId,
    post.id,
    'a private thought',
    'Ada Example',
  ];
  for (const text of personal) expect(left).not.toContain(text);
  expect(await db.selectFrom('charge').select(['id', 'amount_cents', 'state']).execute()).toEqual(
    before,
  );
  const again = registration('ada-personal', { igUsername: 'ada.personal' });
  expect((await customer.client.call(CALLS.register, again)).httpStatus).toBe(200);
});

test('plans and likes stop at once, the network account is free, sessions are over', async () => {
  const ben = await registerCustomer(app, deps, 'ben');
  await payPlan(ben);
  const { db } = deps.database;
  const plan = await db
    .selectFrom('subscription')
    .selectAll()
    .where('ig_id', '=', ben.user.defaultIgId)
    .executeTakeFirstOrThrow();
  const token = ben.client.cookie('ovation') ?? '';
  await remove(ben);
  const after = await db
    .selectFrom('subscription')
    .selectAll()
    .where('id', '=', plan.id)
    .executeTakeFirstOrThrow();
  expect(after.state).toBe('Canceled');
  const watches = await db
    .selectFrom('account_watch')
    .select('account_id')
    .where('workspace_id', '=', plan.workspace_id)
    .execute();
  expect(watches).toEqual([]);
  expect(ben.client.cookie('ovation')).toBeUndefined();
  ben.client.setCookie('ovation', token);
  expect((await ben.client.call(CALLS.findUser, { userId: ben.user.id })).httpStatus).toBe(401);
  const heir = await registerCustomer(app, deps, 'heir');
  deps.network.addAccount('ben', { igId: ben.user.defaultIgId });
  await heir.client.call(CALLS.addAccount, { userId: heir.user.id, igUsername: 'ben' });
  await payPlan(heir, 'ben');
});

test('a wrong password deletes nothing', async () => {
  const cem = await registerCustomer(app, deps, 'cem');
  const { httpStatus, body } = await remove(cem, 'wrong password');
  expect(httpStatus).toBe(401);
  expect(body).toMatchObject({
    code: 'wrong_credentials',
    fields: { password: expect.any(String) },
  });
  expect((await cem.client.call(CALLS.findUser, { userId: cem.user.id })).httpStatus).toBe(200);
});

test('while a payment is being decided nothing is deleted', async () => {
  const dee = await registerCustomer(app, deps, 'dee');
  await payPlan(dee);
  const { db } = deps.database;
  const { workspace_id: workspaceId } = await db
    .selectFrom('subscription')
    .select('workspace_id')
    .where('ig_id', '=', dee.user.defaultIgId)
    .executeTakeFirstOrThrow();
  await db
    .updateTable('charge')
    .set({ state: 'unknown' })
    .where('workspace_id', '=', workspaceId)
    .execute();
  expect(await remove(dee)).toMatchObject({ httpStatus: 503, body: { code: 'payment_unknown' } });
  expect((await dee.client.call(CALLS.findUser, { userId: dee.user.id })).httpStatus).toBe(200);
});
