import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { HOUR_MS } from '#shared/domain/durations.ts';
import { createApp } from '#server/main/app.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import { makeClient } from '#test/people/clients.ts';
import { ASKING_CARD } from '#test/money/checkout-books.ts';
import { type Customer, PASSWORD, registerCustomer } from '#test/people/customers.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { runDue } from '#test/money/subscription-fixture.ts';
import { composeMail } from '#server/mail/compose-mail.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

const change = ({ client, user }: Customer, oldIgUsername: string, igUsername: string) =>
  client.call(CALLS.updateUsername, { userId: user.id, oldIgUsername, igUsername });

async function payingCustomer(name: string): Promise<Customer> {
  const customer = await registerCustomer(app, deps, name);
  deps.network.addPost(name, { id: `1${name.length}${Date.parse('2026-11-20')}${name.length}` });
  await payPlan(deps, customer);
  return customer;
}

/** Signs in again: the clock has moved by days. */
async function comeBack({ client, user }: Customer): Promise<void> {
  const { email } = user;
  await client.call(CALLS.login, { email, password: PASSWORD, keepSignedIn: true });
}

const subscriptions = (user: Customer['user']) =>
  deps.database.db
    .selectFrom('subscription')
    .innerJoin('app_user', 'app_user.workspace_id', 'subscription.workspace_id')
    .selectAll('subscription')
    .where('app_user.id', '=', user.id)
    .execute();
const reservations = async (igId: string) =>
  (
    await deps.database.db
      .selectFrom('network_subscription')
      .select('subscription_id')
      .where('ig_id', '=', igId)
      .execute()
  ).map((row) => row.subscription_id);

// Shows fact 7.06.
test('the same account under a new name keeps everything', async () => {
  const ada = await payingCustomer('ada');
  const [before] = await subscriptions(ada.user);
  deps.network.rename('ada', 'ada.new');
  const { httpStatus, body } = await change(ada, 'ada', '@Ada.New');
  expect(httpStatus).toBe(200);
  expect(body.data).toMatchObject({
    defaultIgUsername: 'ada.new',
    defaultIgId: ada.user.defaultIgId,
    connectedAccounts: [
      { igUsername: 'ada.new', accountPackageId: 2, subscriptionState: 'Active' },
    ],
  });
  expect(await subscriptions(ada.user)).toEqual([before]);
  const watch = await deps.database.db
    .selectFrom('poll_schedule')
    .selectAll()
    .where('account_id', '=', before?.account_id ?? '')
    .executeTakeFirstOrThrow();
  expect(watch).toMatchObject({ ig_username: 'ada.new', is_active: true });
});

test('another account takes the subscription over, with a new baseline and no charge', async () => {
  const ben = await payingCustomer('ben');
  const [before] = await subscriptions(ben.user);
  const other = deps.network.addAccount('ben.other');
  const shown = deps.network.addPost('ben.other');
  const charged = deps.gateway.charges.length;
  deps.clock.advance(HOUR_MS);
  const { body } = await change(ben, 'ben', 'ben.other');
  expect(body.data).toMatchObject({
    defaultIgUsername: 'ben.other',
    defaultIgId: other.igId,
    inSubscription: true,
  });
  const [after] = await subscriptions(ben.user);
  expect(after).toMatchObject({
    id: before?.id,
    ig_id: other.igId,
    anchor_at: before?.anchor_at,
    next_billing_at: before?.next_billing_at,
    baseline_read_at: new Date(deps.clock.now()),
    baseline_post_ids: [shown.id],
  });
  expect(await reservations(other.igId)).toEqual([before?.id]);
  expect(await reservations(ben.user.defaultIgId)).toEqual([]);
  expect(deps.gateway.charges).toHaveLength(charged);
});

test('the old account’s posts stay readable after the subscription has moved', async () => {
  const cem = await payingCustomer('cem');
  deps.network.addAccount('cem.other');
  await change(cem, 'cem', 'cem.other');
  const { body } = await cem.client.call(CALLS.getPosts, { igId: cem.user.defaultIgId });
  expect(body.data?.items).toHaveLength(1);
  const { body: list } = await cem.client.call(CALLS.findConnectedAccounts, {
    userId: cem.user.id,
  });
  expect(list.data).toMatchObject([
    { igUsername: 'cem', accountPackageId: null },
    { igUsername: 'cem.other', accountPackageId: 2 },
  ]);
});

test('delivery settings come along to the other account', async () => {
  const dee = await payingCustomer('dee');
  const settings = { automaticLikes: true, speed: '2 Hours', range: { min: 20, max: 60 } } as const;
  await dee.client.call(CALLS.saveDeliverySettings, {
    userId: dee.user.id,
    igId: dee.user.defaultIgId,
    settings,
  });
  const { igId } = deps.network.addAccount('dee.other');
  await change(dee, 'dee', 'dee.other');
  const { body } = await dee.client.call(CALLS.findDeliverySettings, { userId: dee.user.id, igId });
  expect(body.data).toMatchObject({ settings, planLikes: 100 });
});

test('the other account comes to the same client, unless they are archived', async () => {
  const owner = await registerCustomer(app, deps, 'fox');
  const clientId = await makeClient(owner, 'Bakery');
  const { client, user } = owner;
  const of = { userId: user.id, clientId };
  const clientOf = async (igUsername: string) => {
    const named = deps.database.db.selectFrom('account').where('ig_username', '=', igUsername);
    return (await named.select('client_id').executeTakeFirst())?.client_id;
  };
  await client.call(CALLS.setClient, { ...of, igUsernames: ['fox'] });
  deps.network.addAccount('fox.b');
  await change(owner, 'fox', 'fox.b');
  expect(await clientOf('fox.b')).toBe(clientId);
  await client.call(CALLS.archiveClient, { ...of, isArchived: true });
  deps.clock.advance(48 * HOUR_MS);
  await comeBack(owner);
  deps.network.addAccount('fox.c');
  await change(owner, 'fox.b', 'fox.c');
  expect(await clientOf('fox.c')).toBeNull();
});

test('a name typed wrong is replaced where nothing was ever bought', async () => {
  const fay = await registerCustomer(app, deps, 'fay');
  deps.network.addAccount('fay.right');
  const { body } = await change(fay, 'fay', 'fay.right');
  expect(body.data?.connectedAccounts).toMatchObject([{ igUsername: 'fay.right' }]);
  expect(body.data?.defaultIgUsername).toBe('fay.right');
});

// Shows fact 5.27.
test('once in 48 hours, to the millisecond, also for the account left behind', async () => {
  const gus = await payingCustomer('gus');
  deps.network.addAccount('gus.b');
  expect((await change(gus, 'gus', 'gus.b')).httpStatus).toBe(200);
  deps.clock.advance(48 * HOUR_MS - 1);
  await comeBack(gus);
  for (const old of ['gus', 'gus.b']) {
    const asked = deps.network.calls.length;
    const { httpStatus, body } = await change(gus, old, 'gus.c');
    expect(httpStatus).toBe(409);
    expect(body).toMatchObject({ status: 'error', code: 'username_changed_recently' });
    expect(body.message).toContain('once every 48 hours');
    expect(deps.network.calls).toHaveLength(asked);
  }
  deps.clock.advance(1);
  deps.network.rename('gus.b', 'gus.c');
  const duplicates = await Promise.all([
    change(gus, 'gus.b', 'gus.c'),
    change(gus, 'gus.b', 'gus.c'),
  ]);
  expect(duplicates.map(({ httpStatus }) => httpStatus).sort((a, b) => a - b)).toEqual([200, 404]);
  expect(await subscriptions(gus.user)).toHaveLength(1);
});

test('a failed change doesn’t start the 48 hours', async () => {
  const hal = await payingCustomer('hal');
  expect((await change(hal, 'hal', 'hal.nobody')).body.code).toBe('account_unreadable');
  deps.network.addAccount('hal.b');
  expect((await change(hal, 'hal', 'hal.b')).httpStatus).toBe(200);
});

test('an account with somebody else’s plan is refused, and nothing has moved', async () => {
  const ida = await payingCustomer('ida');
  const jon = await payingCustomer('jon');
  const before = await subscriptions(ida.user);
  const { httpStatus, body } = await change(ida, 'ida', 'jon');
  expect(httpStatus).toBe(409);
  expect(body.code).toBe('account_already_subscribed');
  expect(await subscriptions(ida.user)).toEqual(before);
  expect(await reservations(ida.user.defaultIgId)).toEqual([before[0]?.id]);
  expect(await reservations(jon.user.defaultIgId)).toHaveLength(1);
});

test('a plan moves to an account that somebody else only waits at their bank for', async () => {
  const zoe = await payingCustomer('zoe');
  const squatter = await registerCustomer(app, deps, 'zoe.b');
  const plan = { userId: squatter.user.id, igUsername: 'zoe.b', packageIndex: 2 };
  const waiting = await squatter.client.call(CALLS.addSubscription, {
    ...plan,
    ...CARD_FORM,
    ...ASKING_CARD,
  });
  expect(waiting.body.code).toBe('payment_needs_action');
  expect((await change(zoe, 'zoe', 'zoe.b')).httpStatus).toBe(200);
  const [moved] = await subscriptions(zoe.user);
  expect(await reservations(squatter.user.defaultIgId)).toEqual([moved?.id]);
});

test('a plan can move to an account that is already connected without one, and back in its next period', async () => {
  const kim = await payingCustomer('kim');
  deps.network.addAccount('kim.b');
  await kim.client.call(CALLS.addAccount, { userId: kim.user.id, igUsername: 'kim.b' });
  await change(kim, 'kim', 'kim.b');
  deps.clock.advance(48 * HOUR_MS);
  await comeBack(kim);
  const second = await change(kim, 'kim.b', 'kim');
  expect(second.body).toMatchObject({ code: 'username_changed_recently' });
  expect(second.body.message).toContain('once per paid month');
  deps.clock.advance(31 * 24 * HOUR_MS);
  await runDue(deps);
  await comeBack(kim);
  const { body } = await change(kim, 'kim.b', 'kim');
  expect(body.data?.connectedAccounts).toMatchObject([
    { igUsername: 'kim', accountPackageId: 2 },
    { igUsername: 'kim.b', accountPackageId: null },
  ]);
});

test('an account that isn’t connected, the network’s refusals and strangers change nothing', async () => {
  const lea = await payingCustomer('lea');
  deps.network.addAccount('lea.b');
  expect(await change(lea, 'unknown', 'lea.b')).toMatchObject({
    httpStatus: 404,
    body: { code: 'not_found' },
  });
  deps.network.queueRead({ kind: 'unreachable', reason: 'down', usage: undefined });
  expect((await change(lea, 'lea', 'lea.b')).body.code).toBe('network_unreachable');
  deps.network.queueRead({ kind: 'throttled', retryAfterMs: 1000, usage: undefined });
  expect((await change(lea, 'lea', 'lea.b')).body.code).toBe('network_throttled');
  deps.clock.advance(HOUR_MS);
  const max = await registerCustomer(app, deps, 'max');
  const asLea = { client: max.client, user: lea.user };
  expect((await change(asLea, 'lea', 'lea.b')).httpStatus).toBe(403);
  expect((await change(max, 'lea', 'lea.b')).httpStatus).toBe(404);
  const anonymous = { client: new ApiClient(app), user: lea.user };
  expect((await change(anonymous, 'lea', 'lea.b')).httpStatus).toBe(401);
  expect((await change(lea, 'lea', 'lea.b')).httpStatus).toBe(200);
});

test('an editor corrects a name, and takes no plan to another account', async () => {
  const owner = await payingCustomer('house');
  const editor = await joinAs(deps, app, owner, 'house.editor', 'Editor');
  deps.network.addAccount('editors.own');
  const [before] = await subscriptions(owner.user);
  expect((await change(editor, 'house', 'editors.own')).body.code).toBe('not_allowed');
  expect(await subscriptions(owner.user)).toEqual([before]);
  deps.network.rename('house', 'house.new');
  expect((await change(editor, 'house', 'house.new')).httpStatus).toBe(200);
});

test('a manager who may spend nothing moves a plan: each owner is mailed who it was, and so says the activity', async () => {
  const owner = await payingCustomer('moved');
  const other = await joinAs(deps, app, owner, 'moved.other', 'Owner');
  const manager = await joinAs(deps, app, owner, 'moved.manager', 'Manager');
  const { user } = owner;
  const limited = { memberId: manager.user.id, role: 'Manager', spendLimit: 0 } as const;
  await owner.client.call(CALLS.changeMember, { userId: user.id, ...limited });
  deps.network.addAccount('moved.away');
  expect((await change(manager, 'moved', 'moved.away')).httpStatus).toBe(200);
  const rows = await deps.database.db.selectFrom('owed_mail').selectAll().orderBy('id').execute();
  const told = rows.filter(
    ({ payload }) => payload.kind === 'plan_moved' && payload.from === 'moved',
  );
  const mails = await Promise.all(told.map((row) => composeMail(deps, row)));
  expect(mails.map((mail) => mail?.to)).toEqual([user.email, other.user.email]);
  expect(mails[0]?.text).toContain('moved the plan for @moved to @moved.away');
  expect(mails[0]?.text).toContain(manager.user.name);
  const { body } = await owner.client.call(CALLS.findActivity, { userId: user.id });
  expect(JSON.stringify(body.data)).toContain(
    `${manager.user.name} moved a plan to @moved.away from another account`,
  );
});
