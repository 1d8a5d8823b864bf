import type { Hono } from 'hono';
import { DAY_MS } from '#shared/domain/durations.ts';
import { ownerSession } from '#test/people/owner-session.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { LIMITS } from '#server/identity/limits/rate-limit.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import { type Customer, PASSWORD, registerCustomer } from '#test/people/customers.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { gatewayBook, live } from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

const subscriber = async (name: string): Promise<Customer> => {
  const customer = await registerCustomer(app, deps, name);
  await payPlan(deps, customer);
  return customer;
};

/** What the customer is told of their account before they decide. */
async function toldAmount({ client, user }: Customer, name: string): Promise<unknown> {
  const { body } = await client.call(CALLS.findUser, { userId: user.id });
  const account = body.data?.connectedAccounts.find(({ igUsername }) => igUsername === name);
  return account?.moneyBackAmount;
}

const askBack = ({ client, user }: Customer, igUsername: string, key?: string) =>
  client.call(
    CALLS.moneyBack,
    { userId: user.id, igUsername },
    key === undefined ? {} : { 'idempotency-key': key },
  );

const casesOf = async ({ user }: Customer): Promise<number> => {
  const { db } = deps.database;
  const { workspace_id: workspaceId } = await db
    .selectFrom('app_user')
    .select('workspace_id')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('refund_request')
    .select('subscription_id')
    .where('workspace_id', '=', workspaceId)
    .execute();
  return rows.length;
};

test('money back asked twice, at once and again, is one case; another account is a conflict', async () => {
  const ada = await subscriber('ada');
  const [first, duplicate] = await Promise.all([
    askBack(ada, 'ada', 'exit'),
    askBack(ada, 'ada', 'exit'),
  ]);
  expect(first.body).toMatchObject({ status: 'success', data: { state: 'Requested', amount: 17 } });
  expect(duplicate.body).toEqual(first.body);
  // A later plan of the account doesn't change the answer, and isn't ended by the repeat.
  deps.clock.advance(3_600_000);
  await payPlan(deps, ada);
  expect((await askBack(ada, 'ada', 'exit')).body).toEqual(first.body);
  expect(await casesOf(ada)).toBe(1);
  const { body } = await ada.client.call(CALLS.findUser, { userId: ada.user.id });
  expect(body.data?.connectedAccounts[0]?.subscriptionState).toBe('Active');
  const other = await askBack(ada, 'ada.second', 'exit');
  expect([other.httpStatus, other.body.code]).toEqual([409, 'idempotency_conflict']);
});

test('without a key a double click is one case, and a refusal frees the key', async () => {
  const bo = await registerCustomer(app, deps, 'bo');
  expect((await askBack(bo, 'bo', 'form')).body.code).toBe('not_found');
  await payPlan(deps, bo);
  const [first, duplicate] = await Promise.all([askBack(bo, 'bo'), askBack(bo, 'bo')]);
  expect(duplicate.body).toEqual(first.body);
  expect((await askBack(bo, 'bo', 'form')).body).toMatchObject({ data: { amount: 17 } });
  expect(await casesOf(bo)).toBe(1);
});

test('without a key, money back for the next plan within seconds is another request', async () => {
  const bea = await subscriber('bea');
  expect((await askBack(bea, 'bea')).body).toMatchObject({ data: { amount: 17 } });
  const next = { igUsername: 'bea', packageIndex: 3, ...CARD_FORM };
  const paid = await bea.client.call(CALLS.addSubscription, { userId: bea.user.id, ...next });
  expect(paid.httpStatus).toBe(200);
  const again = await askBack(bea, 'bea');
  expect([again.httpStatus, again.body.code]).toEqual([409, 'money_back_over']);
  const { body } = await bea.client.call(CALLS.findUser, { userId: bea.user.id });
  expect(body.data?.connectedAccounts[0]?.subscriptionState).toBe('Active');
});

test('the amount said beforehand is what comes back: after a rename, a plan change, and a move', async () => {
  const cem = await subscriber('cem');
  const { client, user } = cem;
  expect(await toldAmount(cem, 'cem')).toBe(17);

  // The network account got another name; what was paid was paid under the old one.
  deps.network.addAccount('cem.new', { igId: user.defaultIgId });
  const renamed = { userId: user.id, oldIgUsername: 'cem', igUsername: 'cem.new' };
  expect((await client.call(CALLS.updateUsername, renamed)).httpStatus).toBe(200);
  expect(await toldAmount(cem, 'cem.new')).toBe(17);

  const named = { userId: user.id, igUsername: 'cem.new' };
  const quote = await client.call(CALLS.quotePlan, { ...named, packageIndex: 3 });
  const quoteId = quote.body.data?.quoteId ?? '';
  await client.call(CALLS.changePlan, { userId: user.id, quoteId });
  expect(await toldAmount(cem, 'cem.new')).toBe(24.57);

  deps.clock.advance(48 * 3_600_000);
  await client.call(CALLS.login, { email: user.email, password: PASSWORD });
  deps.network.addAccount('cem.other');
  const moved = { userId: user.id, oldIgUsername: 'cem.new', igUsername: 'cem.other' };
  expect((await client.call(CALLS.updateUsername, moved)).httpStatus).toBe(200);
  expect(await toldAmount(cem, 'cem.new')).toBeNull();
  expect(await toldAmount(cem, 'cem.other')).toBe(24.57);
  const { body } = await askBack(cem, 'cem.other');
  expect(body).toMatchObject({ data: { amount: 24.57 } });
  expect(await toldAmount(cem, 'cem.other')).toBeNull();
});

// Shows fact 9.10.
test('a plan that has moved gives money back once for all the accounts it served', async () => {
  const eve = await subscriber('eve');
  const { client, user } = eve;
  deps.network.addAccount('eve.other');
  const moved = { userId: user.id, oldIgUsername: 'eve', igUsername: 'eve.other' };
  expect((await client.call(CALLS.updateUsername, moved)).httpStatus).toBe(200);
  // Only the money that went back counts: somebody else's guarantee isn't gone by the move alone.
  expect(await toldAmount(eve, 'eve.other')).toBe(17);
  expect((await askBack(eve, 'eve.other')).body).toMatchObject({ data: { amount: 17 } });

  deps.clock.advance(60_000);
  await payPlan(deps, eve, 'eve');
  expect(await toldAmount(eve, 'eve')).toBeNull();
  const again = await askBack(eve, 'eve');
  expect([again.httpStatus, again.body.code]).toEqual([409, 'money_back_over']);
  expect(await casesOf(eve)).toBe(1);
});

test('a plan that has served an account with its money back before gets none, and takes no other’s', async () => {
  const fin = await subscriber('fin');
  expect((await askBack(fin, 'fin')).httpStatus).toBe(200);
  deps.clock.advance(60_000);
  await payPlan(deps, fin);
  deps.network.addAccount('fin.other');
  const moved = { userId: fin.user.id, oldIgUsername: 'fin', igUsername: 'fin.other' };
  expect((await fin.client.call(CALLS.updateUsername, moved)).httpStatus).toBe(200);
  expect(await toldAmount(fin, 'fin.other')).toBeNull();
  expect((await askBack(fin, 'fin.other')).body.code).toBe('money_back_over');
  await fin.client.call(CALLS.stopSubscription, {
    userId: fin.user.id,
    igUsername: 'fin.other',
  });
  const gus = await subscriber('fin.other.owner');
  deps.network.addAccount('fin.other');
  await gus.client.call(CALLS.addAccount, { userId: gus.user.id, igUsername: 'fin.other' });
  await payPlan(deps, gus, 'fin.other');
  expect((await askBack(gus, 'fin.other')).body).toMatchObject({ data: { amount: 17 } });
});

/** What the gateway has charged a customer and given back, once all that is due has gone. */
async function cardBook({ user }: Customer): Promise<[number, number]> {
  await live(deps, 5 * DAY_MS);
  const { workspace_id: workspaceId } = await deps.database.db
    .selectFrom('app_user')
    .select('workspace_id')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  const session = ownerSession({ workspaceId, userId: user.id, sessionId: '' });
  const { chargedCents, refundedCents } = await gatewayBook(deps, { session });
  return [chargedCents.reduce((sum, cents) => sum + cents, 0), refundedCents];
}

async function signInAgain({ client, user }: Customer): Promise<void> {
  await client.call(CALLS.login, { email: user.email, password: PASSWORD });
}

const stop = ({ client, user }: Customer, igUsername: string) =>
  client.call(CALLS.stopSubscription, { userId: user.id, igUsername });

// Shows fact 9.10.
test('a plan that was stopped gives its money back until its 30 days are over', async () => {
  const ivy = await subscriber('ivy');
  deps.clock.advance(4 * DAY_MS);
  await signInAgain(ivy);
  expect((await stop(ivy, 'ivy')).httpStatus).toBe(200);
  expect(await toldAmount(ivy, 'ivy')).toBe(17);
  const [first, duplicate] = await Promise.all([
    askBack(ivy, 'ivy', 'one'),
    askBack(ivy, 'ivy', 'two'),
  ]);
  expect(first.body).toMatchObject({ status: 'success', data: { state: 'Requested', amount: 17 } });
  expect(duplicate.body.data).toMatchObject({ amount: 17 });
  expect(await casesOf(ivy)).toBe(1);
  expect(await toldAmount(ivy, 'ivy')).toBeNull();
  expect(await cardBook(ivy)).toEqual([1700, 1700]);

  const late = await subscriber('late.leaver');
  await stop(late, 'late.leaver');
  deps.clock.advance(30 * DAY_MS);
  await signInAgain(late);
  expect(await toldAmount(late, 'late.leaver')).toBeNull();
  expect((await askBack(late, 'late.leaver')).body.code).toBe('not_found');
});

test('the quote says why there is none: no plan, asked for before, or asked too often', async () => {
  const lea = await registerCustomer(app, deps, 'lea');
  const quote = () =>
    lea.client.call(CALLS.quoteMoneyBack, { userId: lea.user.id, igUsername: 'lea' });
  expect((await quote()).body.code).toBe('not_found');
  await payPlan(deps, lea);
  const { body } = await quote();
  expect(body.data).toMatchObject({ least: 17, most: 17, charged: 17, paidLikes: 0 });
  expect((await askBack(lea, 'lea')).body.data).toMatchObject({ amount: 17, most: 17 });
  expect((await quote()).body.code).toBe('money_back_over');
  const codes: unknown[] = [];
  for (let asked = 0; asked < LIMITS.quote.uses; asked += 1) codes.push((await quote()).body.code);
  expect(codes.at(-1)).toBe('rate_limited');
});
