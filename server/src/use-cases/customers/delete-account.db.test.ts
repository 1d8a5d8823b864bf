import type { Hono } from 'hono';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { bankIdOf } from '#test/money/bank-answers.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import { ASKING_CARD } from '#test/money/checkout-books.ts';
import {
  type Customer,
  PASSWORD,
  registerCustomer,
  registration,
  signUp,
} from '#test/people/customers.ts';
import { plantOrder, plantPost } from '#test/delivery/order-fixture.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { correct, returnShortfall } from '#server/money/credits/ledger.service.ts';
import { logIn } from '#server/identity/sessions/login.service.ts';

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

/** Of accounts of a deleted customer: nothing that the network told of them. */
const KEPT_OF_ACCOUNTS = [
  'automatic_likes',
  'created_at',
  'id',
  'ig_username',
  'last_read_at',
  'speed',
  // Emptied.
  'tags',
  'username_changed_at',
  'workspace_id',
];

async function filledColumns(table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct column_name as name from ${sql.table(table)} t,
      jsonb_each(jsonb_strip_nulls(to_jsonb(t))) as filled (column_name, value) order by 1`.execute(
    deps.database.db,
  );
  return rows.map(({ name }) => name);
}

/**
 * A client with an account and a view that all see, a post with an order of the plan, extra likes for it, a
 * correction by hand, a sent question, and then another name.
 */
async function leaveTraces({ client, user }: Customer): Promise<string[]> {
  const { id: userId, email, defaultIgUsername: igUsername, defaultIgId: igId } = user;
  const post = deps.network.addPost(igUsername, { caption: 'a private thought' });
  const { db } = deps.database;
  const account = await db
    .selectFrom('subscription')
    .select(['workspace_id', 'account_id', 'id'])
    .where('ig_id', '=', igId)
    .executeTakeFirstOrThrow();
  const { workspace_id: workspaceId, account_id: accountId, id: subscriptionId } = account;
  const customer = { workspaceId, accountId, igId, igUsername, subscriptionId };
  const { id: postId, shortcode: shortCode } = post;
  await plantPost(deps, customer, { id: postId, shortcode: shortCode, caption: post.caption });
  const order = { post_id: postId, slot: 1, shortcode: shortCode };
  const orderId = await plantOrder(deps, customer, order);
  const short = { workspaceId, orderId, igUsername, shortcode: shortCode, likes: 20, credits: 20 };
  const now = new Date(deps.clock.now());
  const description = 'For your patience, dear Ada Personal';
  await deps.database.transaction(async (tx) => {
    await returnShortfall(tx, deps, { ...short, now });
    await correct(tx, deps, { workspaceId, reference: 'sorry', credits: 100, description, now });
  });
  const likes = { userId, igUsername, postId, shortCode, likes: 20 };
  expect((await client.call(CALLS.addLikeOrder, likes)).httpStatus).toBe(200);
  const { entries = [] } = (await client.call(CALLS.findLedger, { userId })).body.data ?? {};
  const named = `post ${shortCode} of @${igUsername}`;
  expect(entries.map((entry) => entry.description)).toEqual([
    `20 extra likes for ${named}`,
    description,
    `20 undelivered plan likes for ${named} returned as 20 credits of the same value`,
  ]);
  const ticket = { name: user.name, email, message: 'my secret question' };
  expect((await client.call(CALLS.addTicket, ticket)).httpStatus).toBe(200);
  await db.updateTable('owed_mail').set({ sent_at: now }).execute();
  const { body } = await client.call(CALLS.saveClient, { userId, name: 'Bakery on the Corner' });
  const clientId = body.data?.[0]?.id ?? '';
  const given = { userId, igUsernames: [igUsername], clientId };
  expect((await client.call(CALLS.setClient, given)).httpStatus).toBe(200);
  const view = { id: deps.ids.uuid(), name: 'Corner shops', search: '?q=bakery' };
  await db
    .insertInto('account_view')
    .values({ ...view, workspace_id: workspaceId, user_id: null })
    .execute();
  deps.network.rename(igUsername, 'ada.renamed');
  const rename = { userId, oldIgUsername: igUsername, igUsername: 'ada.renamed' };
  expect((await client.call(CALLS.updateUsername, rename)).httpStatus).toBe(200);
  // Not the post's id: by it the next who connects the account is told which likes were bought.
  return [
    shortCode,
    'ada.renamed',
    description,
    'my secret question',
    'Bakery on the Corner',
    'Corner shops',
  ];
}

test('nothing personal is left, the money is, and the address is free again', async () => {
  const customer = await signUp(app, deps, 'ada.personal', {
    email: 'ada-personal@example.test',
    name: 'Ada Personal',
    phone: '5550109876',
  });
  const { igId } = deps.network.addAccount('ada.second');
  await customer.client.call(CALLS.addAccount, {
    userId: customer.user.id,
    igUsername: 'ada.second',
  });
  await payPlan(deps, customer);
  const traces = await leaveTraces(customer);
  const { db } = deps.database;
  const before = await db.selectFrom('charge').select(['id', 'amount_cents', 'state']).execute();
  expect(before).toHaveLength(1);
  const lived = await everything();
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
    'a private thought',
    'Ada Example',
    ...traces,
  ];
  for (const text of personal) {
    expect(lived).toContain(text);
    expect(left).not.toContain(text);
  }
  expect(left).toContain('20 extra likes for a post');
  expect(await filledColumns('account')).toEqual(KEPT_OF_ACCOUNTS);
  expect(await db.selectFrom('charge').select(['id', 'amount_cents', 'state']).execute()).toEqual(
    before,
  );
  const again = registration('ada-personal', { igUsername: 'ada.renamed' });
  expect((await customer.client.call(CALLS.register, again)).httpStatus).toBe(200);
});

test('plans and likes stop at once, the network account is free, sessions are over', async () => {
  const ben = await registerCustomer(app, deps, 'ben');
  await payPlan(deps, ben);
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
    .selectFrom('poll_schedule')
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
  await payPlan(deps, heir, 'ben');
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
  await payPlan(deps, dee);
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

test('a payment and a card that wait at the bank are canceled first, and nobody can confirm them any more', async () => {
  const gil = await registerCustomer(app, deps, 'gil');
  const { client, user } = gil;
  const asking = { ...CARD_FORM, ...ASKING_CARD, userId: user.id };
  const pack = await client.call(CALLS.buyCredits, { ...asking, amount: 10, credits: 2500 });
  const card = await client.call(CALLS.replaceBillingInfo, asking);
  expect([pack.body.code, card.body.code]).toEqual(Array(2).fill('payment_needs_action'));
  expect((await remove(gil)).httpStatus).toBe(200);
  expect(deps.gateway.confirmAtBank(bankIdOf(pack))).toBe(false);
  const left = await deps.database.db.selectFrom('card_setup').select('id').execute();
  expect(left).toEqual([]);
});

test('a log-in whose password is being checked while its customer is deleted finds nobody', async () => {
  const eve = await registerCustomer(app, deps, 'eve');
  const passwords = {
    hash: () => Promise.reject(new Error('nothing is hashed here')),
    verify: async () => (await remove(eve)).httpStatus === 200,
  };
  const attempt = {
    email: eve.user.email,
    password: PASSWORD,
    keepSignedIn: true,
    userAgent: 'test',
    address: '198.51.100.7',
    browserToken: undefined,
  };
  await expect(logIn({ ...deps, passwords }, attempt)).rejects.toMatchObject({
    code: 'wrong_credentials',
  });
});

test('of two deletions at once one deletes, and the other one hears that the session has ended', async () => {
  const fay = await registerCustomer(app, deps, 'fay');
  const answers = await Promise.all([remove(fay), remove(fay)]);
  expect(new Set(answers.map(({ httpStatus }) => httpStatus))).toEqual(new Set([200, 401]));
});
