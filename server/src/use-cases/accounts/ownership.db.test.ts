import type { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import { createApp } from '#server/main/app.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import { type Customer, PASSWORD, registerCustomer } from '#test/people/customers.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { runDue } from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

let count = 0;
/** The account both want, its owner and a stranger. */
let wanted: string;
let owner: Customer;
let stranger: Customer;
beforeEach(async () => {
  deps.clock.set('2027-01-10T12:00:00Z');
  count += 1;
  wanted = `wanted${count}`;
  owner = await registerCustomer(app, deps, wanted);
  stranger = await registerCustomer(app, deps, `stranger${count}`);
  await stranger.client.call(CALLS.addAccount, input(stranger));
});

const input = (customer: Customer) => ({ userId: customer.user.id, igUsername: wanted });
/** So much later: the session is over, and they log in again. */
async function later(customer: Customer, byMs: number): Promise<void> {
  deps.clock.advance(byMs);
  const { email } = customer.user;
  await customer.client.call(CALLS.login, { email, password: PASSWORD });
}
const ownership = async (customer: Customer) => {
  const { body } = await customer.client.call(CALLS.findOwnership, input(customer));
  return body.data;
};
const prove = (customer: Customer) => customer.client.call(CALLS.proveOwnership, input(customer));
const checkout = (customer: Customer) =>
  customer.client.call(CALLS.addSubscription, {
    ...input(customer),
    packageIndex: 2,
    ...CARD_FORM,
  });
const stateOf = async (customer: Customer, igUsername = wanted) => {
  const { body } = await customer.client.call(CALLS.findConnectedAccounts, {
    userId: customer.user.id,
  });
  return body.data?.find((one) => one.igUsername === igUsername);
};

async function writeCode(customer: Customer): Promise<void> {
  const { code } = (await ownership(customer)) ?? {};
  deps.network.change(wanted, { biography: `Pictures. ${code?.toLowerCase()} Berlin.` });
}
const charges = () =>
  deps.database.db.selectFrom('charge').select(['state', 'amount_cents']).orderBy('id').execute();

test('that it is taken is known at the look-up, and the checkout refuses before any card', async () => {
  await payPlan(deps, stranger, wanted);
  const shown = await owner.client.call(CALLS.lookUpAccount, input(owner));
  expect(shown.body.data).toMatchObject({ standing: 'proof_needed' });
  const before = (await charges()).length;
  const { httpStatus, body } = await checkout(owner);
  expect([httpStatus, body.code, body.message]).toEqual([
    409,
    'account_already_subscribed',
    `@${wanted} can’t get a plan here until you prove that it’s yours. You were not charged.`,
  ]);
  expect(await charges()).toHaveLength(before);
});

test('a code in the profile’s text shows whose it is: the paid checkout displaces the other plan', async () => {
  await payPlan(deps, stranger, wanted);
  expect((await prove(owner)).body.code).toBe('wrong_code');
  await writeCode(owner);
  expect((await prove(owner)).body.data).toMatchObject({ isProved: true });
  // Nothing has happened to the other plan before the payment.
  expect(await stateOf(stranger)).toMatchObject({ subscriptionState: 'Active' });
  const before = await charges();
  expect((await checkout(owner)).httpStatus).toBe(200);
  expect(await stateOf(owner)).toMatchObject({ subscriptionState: 'Active', accountPackageId: 2 });
  expect(await stateOf(stranger)).toMatchObject({ subscriptionState: 'Paused' });
  expect(await charges()).toHaveLength(before.length + 1);
  expect(await deps.database.db.selectFrom('refund').selectAll().execute()).toEqual([]);
  const resumed = await stranger.client.call(CALLS.resumeSubscription, input(stranger));
  expect(resumed.body).toMatchObject({ code: 'subscription_state' });
  expect(resumed.body.message).toContain('Change username');
});

test('the displaced plan goes on at once with another account, and its days are not lost', async () => {
  await payPlan(deps, stranger, wanted);
  const due = (await stateOf(stranger))?.nextBillingDate ?? '';
  await writeCode(owner);
  await prove(owner);
  await checkout(owner);
  await later(stranger, 10 * DAY_MS);
  deps.network.addAccount(`another${count}`);
  const moved = await stranger.client.call(CALLS.updateUsername, {
    userId: stranger.user.id,
    oldIgUsername: wanted,
    igUsername: `another${count}`,
  });
  expect(moved.httpStatus).toBe(200);
  const now = await stateOf(stranger, `another${count}`);
  expect(now).toMatchObject({ subscriptionState: 'Active', accountPackageId: 2 });
  const movedByMs = Date.parse(now?.nextBillingDate ?? '') - Date.parse(due);
  expect(movedByMs).toBeGreaterThanOrEqual(9 * DAY_MS);
});

test('without another account the displaced plan ends after 180 days, and nothing is charged', async () => {
  await payPlan(deps, stranger, wanted);
  await writeCode(owner);
  await prove(owner);
  await checkout(owner);
  await later(stranger, 181 * DAY_MS);
  await runDue(deps);
  expect(await stateOf(stranger)).toMatchObject({ subscriptionState: 'Canceled' });
  const { body } = await stranger.client.call(CALLS.findTransactions, {
    userId: stranger.user.id,
  });
  expect(body.data).toHaveLength(1);
});

test('money back that a stranger took is free again for the owner, once ever', async () => {
  await payPlan(deps, stranger, wanted);
  const taken = await stranger.client.call(CALLS.moneyBack, input(stranger));
  expect(taken.httpStatus).toBe(200);
  expect(await ownership(owner)).toMatchObject({ standing: 'money_back_used', isProved: false });
  await writeCode(owner);
  await prove(owner);
  await payPlan(deps, owner, wanted);
  expect((await stateOf(owner))?.moneyBackUntil).not.toBeNull();
  expect((await owner.client.call(CALLS.moneyBack, input(owner))).httpStatus).toBe(200);
  expect(await ownership(owner)).toMatchObject({ standing: 'free', code: null });
  await payPlan(deps, owner, wanted);
  expect((await stateOf(owner))?.moneyBackUntil).toBeNull();
  const again = await owner.client.call(CALLS.moneyBack, input(owner));
  expect(again.body.code).toBe('money_back_over');
});

test('the displaced stranger can’t use the owner’s money back up afterwards', async () => {
  await payPlan(deps, stranger, wanted);
  await writeCode(owner);
  await prove(owner);
  await checkout(owner);
  const late = await stranger.client.call(CALLS.moneyBack, input(stranger));
  expect(late.body.code).toBe('money_back_over');
  expect((await owner.client.call(CALLS.moneyBack, input(owner))).httpStatus).toBe(200);
});

test('two who can both write the profile’s text don’t take the account from each other', async () => {
  await payPlan(deps, stranger, wanted);
  await writeCode(owner);
  await prove(owner);
  await checkout(owner);
  await writeCode(stranger);
  await stranger.client.call(CALLS.stopSubscription, input(stranger));
  expect((await prove(stranger)).body.data).toMatchObject({ isProved: true });
  const before = await charges();
  const back = await checkout(stranger);
  expect([back.body.code, back.body.message]).toEqual([
    'account_already_subscribed',
    `In the last 180 days, someone else proved that @${wanted} is theirs, so it can’t get a plan here. You were not charged.`,
  ]);
  expect(await charges()).toEqual(before);
  expect(await stateOf(owner)).toMatchObject({ subscriptionState: 'Active' });
});

test('an owner who deleted their account and came back can show again that it is theirs', async () => {
  await payPlan(deps, stranger, wanted);
  await writeCode(owner);
  await prove(owner);
  await checkout(owner);
  const { id: userId } = owner.user;
  const left = await owner.client.call(CALLS.deleteAccount, { userId, password: PASSWORD });
  expect(left.httpStatus).toBe(200);
  await stranger.client.call(CALLS.stopSubscription, input(stranger));
  await payPlan(deps, stranger, wanted);
  const back = await registerCustomer(app, deps, `back${count}`);
  await back.client.call(CALLS.addAccount, input(back));
  await writeCode(back);
  await prove(back);
  expect((await checkout(back)).httpStatus).toBe(200);
  expect(await stateOf(back)).toMatchObject({ subscriptionState: 'Active' });
});

/** Mails of a kind that are owed for a plan of the wanted account. */
async function mailsAbout(kind: string): Promise<string[]> {
  const rows = await deps.database.db.selectFrom('owed_mail').select(['id', 'payload']).execute();
  const plans = await deps.database.db
    .selectFrom('subscription')
    .innerJoin('account', 'account.id', 'subscription.account_id')
    .select('subscription.id')
    .where('account.ig_username', '=', wanted)
    .execute();
  const ids = new Set(plans.map(({ id }) => id));
  return rows.flatMap(({ id, payload }) =>
    'subscriptionId' in payload && payload.kind === kind && ids.has(payload.subscriptionId)
      ? [id]
      : [],
  );
}

test('a displaced plan is told when nobody else has the account any more, and goes on', async () => {
  await payPlan(deps, stranger, wanted);
  await writeCode(owner);
  await prove(owner);
  await checkout(owner);
  const told = () => mailsAbout('account_free');
  expect(await told()).toEqual([]);
  await owner.client.call(CALLS.stopSubscription, input(owner));
  expect(await told()).toHaveLength(1);
  await later(stranger, DAY_MS);
  const resumed = await stranger.client.call(CALLS.resumeSubscription, input(stranger));
  expect(resumed.httpStatus).toBe(200);
  expect(await stateOf(stranger)).toMatchObject({ subscriptionState: 'Active' });
  await later(owner, 0);
  expect(await ownership(owner)).toMatchObject({ standing: 'proof_needed' });
  const watched = deps.database.db.selectFrom('poll_schedule').select('is_active');
  const rows = await watched.where('ig_username', '=', wanted).execute();
  expect(rows.filter((row) => row.is_active)).toHaveLength(1);
});

test('money back for the plan that displaced another leaves that one its own, and nobody a third', async () => {
  // What the stranger had back for another account doesn't count here.
  await payPlan(deps, stranger);
  const other = { ...input(stranger), igUsername: `stranger${count}` };
  expect((await stranger.client.call(CALLS.moneyBack, other)).httpStatus).toBe(200);
  await payPlan(deps, stranger, wanted);
  await writeCode(owner);
  await prove(owner);
  await checkout(owner);
  expect((await owner.client.call(CALLS.moneyBack, input(owner))).httpStatus).toBe(200);
  const resumed = await stranger.client.call(CALLS.resumeSubscription, input(stranger));
  expect(resumed.httpStatus).toBe(200);
  expect((await stateOf(stranger))?.moneyBackUntil).not.toBeNull();
  expect((await stranger.client.call(CALLS.moneyBack, input(stranger))).httpStatus).toBe(200);
  for (const customer of [owner, stranger]) {
    await payPlan(deps, customer, wanted);
    const again = await customer.client.call(CALLS.moneyBack, input(customer));
    expect(again.body.code).toBe('money_back_over');
    await customer.client.call(CALLS.stopSubscription, input(customer));
  }
});

test('the code is one workspace’s, stays the same for three days, and is tried ten times a day', async () => {
  expect(await ownership(owner)).toEqual({
    standing: 'free',
    code: null,
    expiresAt: null,
    isProved: false,
  });
  await payPlan(deps, stranger, wanted);
  const first = await ownership(owner);
  expect(first?.code).toMatch(/^OV-[2-9A-HJ-NP-Z]{10}$/);
  const third = await registerCustomer(app, deps, `third${count}`);
  await third.client.call(CALLS.addAccount, input(third));
  expect((await ownership(third))?.code).not.toBe(first?.code);
  await writeCode(third);
  const refusals: unknown[] = [];
  for (let index = 0; index < 11; index += 1) refusals.push((await prove(owner)).body.code);
  expect(refusals).toEqual([...Array.from({ length: 10 }, () => 'wrong_code'), 'rate_limited']);
  await later(owner, 2 * DAY_MS);
  expect((await ownership(owner))?.code).toBe(first?.code);
  await later(owner, DAY_MS);
  expect((await ownership(owner))?.code).not.toBe(first?.code);
});

test('a name that isn’t connected, and a network that can’t show it, prove nothing', async () => {
  const unknown = { userId: owner.user.id, igUsername: 'nobody.of.mine' };
  const { client } = owner;
  expect((await client.call(CALLS.findOwnership, unknown)).body.code).toBe('not_found');
  expect((await client.call(CALLS.proveOwnership, unknown)).body.code).toBe('not_found');
  await payPlan(deps, stranger, wanted);
  const usage = undefined;
  deps.network.queueRead({ kind: 'unreadable', usage });
  expect((await prove(owner)).body.code).toBe('account_unreadable');
  deps.network.queueRead({ kind: 'unreachable', reason: 'timeout', usage });
  expect((await prove(owner)).body.code).toBe('network_unreachable');
  deps.network.queueRead({ kind: 'throttled', retryAfterMs: 1000, usage });
  expect((await prove(owner)).body.code).toBe('network_throttled');
});
