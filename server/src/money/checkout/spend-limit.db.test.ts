import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import { createApp } from '#server/main/app.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import { type Customer, PASSWORD, registerCustomer } from '#test/people/customers.ts';
import { changePlanTo, payPlan } from '#test/money/paying-customer.ts';
import { joinAs } from '#test/people/team.ts';
import { endAll, runDue } from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

/** A pack of 2,500 credits for $10. */
const buy = async ({ client, user }: Customer, card: { ccNum?: string } = {}) => {
  const input = { userId: user.id, credits: 2500, amount: 10, ...CARD_FORM, ...card };
  const headers = { 'idempotency-key': deps.ids.uuid() };
  return (await client.call(CALLS.buyCredits, input, headers)).body;
};

async function limited(name: string, spendLimit: number | null) {
  const owner = await registerCustomer(app, deps, name);
  const manager = await joinAs(deps, app, owner, `${name}.manager`, 'Manager');
  await setLimit(owner, manager, spendLimit);
  return { owner, manager };
}

async function setLimit({ client, user }: Customer, manager: Customer, spendLimit: number | null) {
  const change = { userId: user.id, memberId: manager.user.id, role: 'Manager' as const };
  await client.call(CALLS.changeMember, { ...change, spendLimit });
}

test('a manager spends up to the limit in a month, an owner without one, and the sentence says what is left', async () => {
  const { owner, manager } = await limited('ada', 25);
  expect((await buy(manager)).code).toBeUndefined();
  expect((await buy(manager)).code).toBeUndefined();
  const charges = deps.gateway.charges.length;
  expect(await buy(manager)).toMatchObject({
    code: 'spend_limit',
    message:
      'You can spend $25.00 a month in this workspace, and $5.00 of it is left. Ask an owner.',
  });
  expect(deps.gateway.charges).toHaveLength(charges);
  expect((await buy(owner)).code).toBeUndefined();
});

test('what the bank declined isn’t spent', async () => {
  const { manager } = await limited('bo', 10);
  // Can be saved, and is declined when it is charged.
  expect((await buy(manager, { ccNum: '4000000000000341' })).code).toBe('card_declined');
  expect((await buy(manager)).code).toBeUndefined();
  expect((await buy(manager)).code).toBe('spend_limit');
});

test('what was returned, because it bought nothing, isn’t spent', async () => {
  const { manager } = await limited('eli', 10);
  expect((await buy(manager)).code).toBeUndefined();
  expect((await buy(manager)).code).toBe('spend_limit');
  await deps.database.db
    .updateTable('charge')
    .set({ is_returned: true })
    .where('gateway_charge_id', '=', deps.gateway.charges.at(-1)?.gatewayChargeId ?? '')
    .execute();
  expect((await buy(manager)).code).toBeUndefined();
  expect((await buy(manager)).code).toBe('spend_limit');
});

test('what was spent before there was a limit counts, and without one nothing is refused', async () => {
  const { owner, manager } = await limited('cy', null);
  expect((await buy(manager)).code).toBeUndefined();
  const change = { userId: owner.user.id, memberId: manager.user.id, role: 'Manager' as const };
  await owner.client.call(CALLS.changeMember, { ...change, spendLimit: 10 });
  expect((await buy(manager)).code).toBe('spend_limit');
});

test('a dearer plan counts, too: what goes beyond the limit changes and charges nothing', async () => {
  const { owner, manager } = await limited('di', 25);
  await payPlan(deps, owner);
  const charges = deps.gateway.charges.length;
  expect((await changePlanTo(manager, 9, owner.user.defaultIgUsername)).code).toBe('spend_limit');
  expect(deps.gateway.charges).toHaveLength(charges);
  // One that fits is charged, and is spent.
  expect((await changePlanTo(manager, 3, owner.user.defaultIgUsername)).code).toBeUndefined();
  expect((await buy(manager)).code).toBeUndefined();
  expect((await buy(manager)).code).toBe('spend_limit');
});

test('whoever is beyond a limit that was lowered may still choose a cheaper plan', async () => {
  const { owner, manager } = await limited('ira', 25);
  await payPlan(deps, owner);
  const { defaultIgUsername: igUsername } = owner.user;
  expect((await changePlanTo(manager, 3, igUsername)).code).toBeUndefined();
  expect((await buy(manager)).code).toBeUndefined();
  await setLimit(owner, manager, 1);
  expect((await buy(manager)).message).toContain('and $0.00 of it is left');
  expect((await changePlanTo(manager, 2, igUsername)).code).toBeUndefined();
});

/** Plan 2 ($17.00) is due, and its card was declined. */
async function unpaid(name: string, spendLimit: number) {
  const { owner, manager } = await limited(name, spendLimit);
  const { id: userId, email, membership } = manager.user;
  await endAll(deps);
  await payPlan(deps, owner);
  deps.clock.advance(31 * DAY_MS);
  deps.gateway.queueFailure({ kind: 'declined', code: 'insufficient_funds' });
  await runDue(deps);
  const { body: home } = await manager.client.call(CALLS.login, { email, password: PASSWORD });
  const workspaceId = membership?.workspaceId ?? '';
  const there = { userId: home.data?.id ?? '', workspaceId };
  await manager.client.call(CALLS.switchWorkspace, there);
  return { owner, manager, userId, workspaceId };
}

/** What a new card of theirs says of plan 2 ($17.00), which is due. */
async function replaceCardOfUnpaid(name: string, spendLimit: number): Promise<string | undefined> {
  const { manager, userId } = await unpaid(name, spendLimit);
  const form = { userId, ...CARD_FORM, ccNum: '5555555555554444' };
  const { body } = await manager.client.call(CALLS.replaceBillingInfo, form);
  expect((await buy(manager)).code).toBe('spend_limit');
  return body.message;
}

test('a manager’s new card pays what is due at once within the limit only, and it is spent', async () => {
  const charges = deps.gateway.charges.length;
  const beyond = await replaceCardOfUnpaid('fay', 9);
  expect(beyond).toBe(
    'Your card has been replaced. Because of your spending limit, not everything that’s due is charged now. The rest will be charged on its next date.',
  );
  const paid = () =>
    deps.gateway.charges.slice(charges).filter(({ state }) => state === 'succeeded');
  expect(paid()).toHaveLength(1);
  deps.clock.advance(DAY_MS);
  await runDue(deps);
  expect(paid()).toHaveLength(2);
  // The pack that is refused then would have fitted.
  expect(await replaceCardOfUnpaid('gil', 26)).toBe(
    'Your card has been replaced, and the payment that was due went through.',
  );
});

test('a plan that was to end, or to get cheaper, goes on, or is changed for later, by a manager whose limit it fits', async () => {
  const { owner, manager } = await limited('hal', 20);
  const { defaultIgUsername: igUsername } = owner.user;
  await payPlan(deps, owner);
  const name = ({ user }: Customer) => ({ userId: user.id, igUsername });
  const codeOf = async (by: Customer, call: 'resumeSubscription' | 'keepPlan') =>
    (await by.client.call(CALLS[call], name(by))).body.code;
  await owner.client.call(CALLS.cancelSubscription, name(owner));
  expect(await codeOf(manager, 'resumeSubscription')).toBeUndefined();
  await changePlanTo(owner, 9);
  await changePlanTo(owner, 2);
  expect(await codeOf(manager, 'keepPlan')).toBe('spend_limit');
  // Cheaper than what runs, dearer than what would follow it.
  expect((await changePlanTo(manager, 8, igUsername)).code).toBe('spend_limit');
  expect((await changePlanTo(manager, 3, igUsername)).code).toBeUndefined();
  expect(await codeOf(owner, 'keepPlan')).toBeUndefined();
  await owner.client.call(CALLS.cancelSubscription, name(owner));
  expect(await codeOf(manager, 'resumeSubscription')).toBe('spend_limit');
  expect(await codeOf(owner, 'resumeSubscription')).toBeUndefined();
});

test('of plans that a manager has go on, their sum fits the limit, for as long as they do', async () => {
  const { owner, manager } = await limited('jo', 30);
  const first = owner.user.defaultIgUsername;
  const second = `${first}.second`;
  deps.network.addAccount(second);
  await owner.client.call(CALLS.addAccount, { userId: owner.user.id, igUsername: second });
  const of = ({ user }: Customer, igUsername: string) => ({ userId: user.id, igUsername });
  for (const name of [first, second]) {
    await payPlan(deps, owner, name);
    await owner.client.call(CALLS.cancelSubscription, of(owner, name));
  }
  const resume = async (igUsername: string) =>
    (await manager.client.call(CALLS.resumeSubscription, of(manager, igUsername))).body;
  // $17.00 each.
  expect((await resume(first)).code).toBeUndefined();
  expect(await resume(second)).toMatchObject({
    code: 'spend_limit',
    message:
      'You can spend $30.00 a month in this workspace, and $13.00 of it is left. Ask an owner.',
  });
  await manager.client.call(CALLS.cancelSubscription, of(manager, first));
  expect((await resume(second)).code).toBeUndefined();
  expect((await resume(first)).code).toBe('spend_limit');
  // What is bought shares the limit, too.
  expect((await buy(manager)).code).toBeUndefined();
  expect((await buy(manager)).code).toBe('spend_limit');
});

test('a plan that a manager has get dearer again counts until it gets cheaper, whoever says so', async () => {
  const { owner, manager } = await limited('kai', 20);
  const { defaultIgUsername: igUsername } = owner.user;
  await payPlan(deps, owner);
  expect((await changePlanTo(owner, 1)).code).toBeUndefined();
  const keep = { userId: manager.user.id, igUsername };
  expect((await manager.client.call(CALLS.keepPlan, keep)).body.code).toBeUndefined();
  expect((await buy(manager)).code).toBeUndefined();
  // $7.01 of the plan and $10.00 are counted.
  expect((await buy(manager)).message).toContain('$2.99 of it is left');
  expect((await changePlanTo(owner, 1)).code).toBeUndefined();
  expect((await buy(manager)).code).toBeUndefined();
});

test('whoever stopped plans, or had one get cheaper, takes that back whatever their limit is, once it was theirs', async () => {
  const { owner, manager } = await limited('lou', 0);
  const { defaultIgUsername: igUsername } = owner.user;
  await payPlan(deps, owner);
  const call = async (
    by: Customer,
    name: 'cancelSubscription' | 'resumeSubscription' | 'keepPlan',
  ) => (await by.client.call(CALLS[name], { userId: by.user.id, igUsername })).body.code;
  expect(await call(manager, 'cancelSubscription')).toBeUndefined();
  expect(await call(manager, 'resumeSubscription')).toBeUndefined();
  expect((await changePlanTo(manager, 1, igUsername)).code).toBeUndefined();
  expect(await call(manager, 'keepPlan')).toBeUndefined();
  // What an owner has decided isn’t theirs to take back.
  expect((await changePlanTo(manager, 1, igUsername)).code).toBeUndefined();
  expect(await call(owner, 'keepPlan')).toBeUndefined();
  expect((await changePlanTo(owner, 1)).code).toBeUndefined();
  expect(await call(manager, 'keepPlan')).toBe('spend_limit');
  expect(await call(owner, 'keepPlan')).toBeUndefined();
  expect(await call(owner, 'cancelSubscription')).toBeUndefined();
  expect(await call(manager, 'resumeSubscription')).toBe('spend_limit');
  expect(await call(owner, 'resumeSubscription')).toBeUndefined();
  expect(await call(manager, 'cancelSubscription')).toBeUndefined();
  expect(await call(owner, 'resumeSubscription')).toBeUndefined();
  expect(await call(owner, 'cancelSubscription')).toBeUndefined();
  expect(await call(manager, 'resumeSubscription')).toBe('spend_limit');
});

test('a cheaper plan that a dearer one has overtaken is nobody’s to take back', async () => {
  const { owner, manager } = await limited('max', 0);
  const { defaultIgUsername: igUsername } = owner.user;
  const keepPlan = { userId: manager.user.id, igUsername };
  await payPlan(deps, owner);
  expect((await changePlanTo(owner, 8)).code).toBeUndefined();
  expect((await changePlanTo(manager, 1, igUsername)).code).toBeUndefined();
  expect((await changePlanTo(owner, 9)).code).toBeUndefined();
  expect((await changePlanTo(owner, 8)).code).toBeUndefined();
  const { body } = await manager.client.call(CALLS.keepPlan, keepPlan);
  expect(body.code).toBe('spend_limit');
});

test('what one manager has go on counts as theirs, also when another one stops it and takes that back', async () => {
  const { owner, manager } = await limited('ned', 20);
  const other = await joinAs(deps, app, owner, 'ned.other', 'Manager');
  await setLimit(owner, other, 0);
  const { defaultIgUsername: igUsername } = owner.user;
  const call = async (
    by: Customer,
    name: 'cancelSubscription' | 'resumeSubscription' | 'keepPlan',
  ) => (await by.client.call(CALLS[name], { userId: by.user.id, igUsername })).body.code;
  await payPlan(deps, owner);
  expect(await call(owner, 'cancelSubscription')).toBeUndefined();
  expect(await call(manager, 'resumeSubscription')).toBeUndefined();
  expect(await call(other, 'cancelSubscription')).toBeUndefined();
  expect(await call(other, 'resumeSubscription')).toBeUndefined();
  expect((await buy(manager)).message).toContain('$3.00 of it is left');
  // One that got dearer, too: whoever has it get cheaper gives the other one’s limit back, and takes no more back than theirs.
  expect((await changePlanTo(owner, 1)).code).toBeUndefined();
  expect(await call(manager, 'keepPlan')).toBeUndefined();
  expect((await changePlanTo(other, 1, igUsername)).code).toBeUndefined();
  expect(await call(other, 'keepPlan')).toBe('spend_limit');
});

test('a plan that a manager had go on counts as that, or as its renewal once they have paid it, and not as neither', async () => {
  const { manager, userId, workspaceId } = await unpaid('oz', 30);
  const plan = await deps.database.db
    .selectFrom('subscription')
    .innerJoin('membership', 'membership.workspace_id', 'subscription.workspace_id')
    .select(['subscription.id as subscription_id', 'account_id', 'membership.user_id'])
    .where('membership.id', '=', userId)
    .executeTakeFirstOrThrow();
  const { account_id: accountId, ...ids } = plan;
  const key = { workspace_id: workspaceId, ...ids };
  const at = new Date(deps.clock.now());
  await deps.database.db
    .insertInto('member_raise')
    .values({ ...key, cents: 1700, at })
    .execute();
  const confirm = async () => {
    const input = { userId, accountId };
    const headers = { 'idempotency-key': deps.ids.uuid() };
    return (await manager.client.call(CALLS.confirmRenewal, input, headers)).body.code;
  };
  deps.gateway.queueFailure({ kind: 'declined', code: 'insufficient_funds' });
  expect(await confirm()).toBe('insufficient_funds');
  expect((await buy(manager)).code).toBeUndefined();
  expect((await buy(manager)).message).toContain('$3.00 of it is left');
  expect(await confirm()).toBeUndefined();
  expect((await buy(manager)).message).toContain('$3.00 of it is left');
});
