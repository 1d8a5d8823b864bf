import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import { createApp } from '#server/main/app.ts';
import { composeMail } from '#server/mail/compose-mail.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import { type Customer, PASSWORD } from '#test/people/customers.ts';
import { FakeClock } from '#test/fake-clock.ts';
import { changePlanTo, payer, payPlan } from '#test/money/paying-customer.ts';
import { live } from '#test/money/subscription-fixture.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  // Days enough to the month's end.
  deps = await createTestDeps({ clock: new FakeClock('2026-11-10T12:00:00Z') });
  app = createApp(deps);
});
afterAll(() => deps.database.close());

/** Lets days pass, at whose end the customer logs in. */
async function pass({ client, user }: Customer, days: number): Promise<void> {
  await live(deps, days * DAY_MS, 10 * DAY_MS);
  await client.call(CALLS.login, { email: user.email, password: PASSWORD });
}

/** A pack of 2,500 credits for $10. */
const buy = async ({ client, user }: Customer, card: { ccNum?: string } = {}) => {
  const input = { userId: user.id, credits: 2500, amount: 10, ...CARD_FORM, ...card };
  return (await client.call(CALLS.buyCredits, input, { 'idempotency-key': deps.ids.uuid() })).body;
};
const save = async ({ client, user }: Customer, limit: number | null, igUsername?: string) => {
  const of = igUsername === undefined ? {} : { igUsername };
  return (await client.call(CALLS.saveBudget, { userId: user.id, limit, ...of })).body;
};
const find = async ({ client, user }: Customer, igUsername?: string) => {
  const of = igUsername === undefined ? {} : { igUsername };
  return (await client.call(CALLS.findBudgets, { userId: user.id, ...of })).body;
};
const planOf = ({ user: { id: userId, defaultIgUsername: igUsername } }: Customer) => ({
  userId,
  igUsername,
});

/** What the budgets’ mails say, oldest first. */
async function mailsOf({ user }: Customer): Promise<string[]> {
  const rows = await deps.database.db
    .selectFrom('owed_mail')
    .selectAll()
    .where('workspace_id', 'in', (query) =>
      query.selectFrom('app_user').select('workspace_id').where('id', '=', user.id),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const told = rows.filter(({ payload }) => payload.kind === 'budget_spent');
  const mails = await Promise.all(told.map((row) => composeMail(deps, row)));
  return mails.flatMap((mail) => mail?.subject ?? []);
}

test('without a budget nothing is refused; with one, what goes beyond it charges nothing and says the sums', async () => {
  const owner = await payer(app, deps, 'ada');
  expect((await buy(owner)).code).toBeUndefined();
  expect((await save(owner, 40)).data?.budgets).toEqual([
    { igUsername: null, limit: 40, spent: 27, due: 0, monthly: 17 },
  ]);
  expect((await buy(owner)).code).toBeUndefined();
  const charges = deps.gateway.charges.length;
  expect(await buy(owner)).toMatchObject({
    code: 'budget_reached',
    message:
      'This costs $10.00. Of this month’s budget of $40.00 for this workspace, $3.00 is left: $37.00 is spent or waiting for payment, and renewals of $0.00 are due by November 30, 2026. You were not charged. An owner can raise it under Billing.',
  });
  expect(deps.gateway.charges).toHaveLength(charges);
  await save(owner, null);
  expect((await buy(owner)).code).toBeUndefined();
});

test('what the bank declined isn’t spent', async () => {
  const owner = await payer(app, deps, 'bo');
  await save(owner, 27);
  expect((await buy(owner, { ccNum: '4000000000000341' })).code).toBe('card_declined');
  expect((await buy(owner)).code).toBeUndefined();
  expect((await buy(owner)).code).toBe('budget_reached');
});

test('an account’s budget counts its plan, not credits, and refuses a dearer one, which changes nothing', async () => {
  const owner = await payer(app, deps, 'cy');
  const name = owner.user.defaultIgUsername;
  await save(owner, 24, name);
  expect((await buy(owner)).code).toBeUndefined();
  expect((await find(owner, name)).data?.budgets).toEqual([
    { igUsername: name, limit: 24, spent: 17, due: 0, monthly: 17 },
  ]);
  const charges = deps.gateway.charges.length;
  expect(await changePlanTo(owner, 3)).toMatchObject({ code: 'budget_reached' });
  expect(deps.gateway.charges).toHaveLength(charges);
  expect(
    (await find(owner)).data?.budgets.map(({ igUsername, limit }) => [igUsername, limit]),
  ).toEqual([
    [null, null],
    [name, 24],
  ]);
  expect((await save(owner, 60, name)).code).toBeUndefined();
  expect((await changePlanTo(owner, 3)).code).toBeUndefined();
  const changed = (await find(owner, name)).data?.budgets[0];
  expect(changed?.spent).toBeGreaterThan(17);
  expect(changed).toMatchObject({ limit: 60, due: 0, monthly: 24 });
});

test('a plan is refused whose renewals would go beyond the budget, though its first month fits', async () => {
  const owner = await payer(app, deps, 'di');
  await pass(owner, 22);
  // December: $17 is due, and the change replaces it.
  await save(owner, 47);
  expect((await changePlanTo(owner, 4)).message).toContain(
    'With this, plans would cost $48.00 a month, and the budget for this workspace is $47.00.',
  );
  await save(owner, 48);
  expect((await changePlanTo(owner, 4)).code).toBeUndefined();
});

test('renewals have their place: credits don’t take it, and the renewal passes', async () => {
  deps.clock.set('2027-02-10T12:00:00Z');
  const owner = await payer(app, deps, 'eve');
  await pass(owner, 20);
  await save(owner, 26);
  expect((await find(owner)).data?.budgets).toEqual([
    { igUsername: null, limit: 26, spent: 0, due: 17, monthly: 17 },
  ]);
  expect((await buy(owner)).message).toContain(
    'Of this month’s budget of $26.00 for this workspace, $9.00 is left: $0.00 is spent or waiting for payment, and renewals of $17.00 are due by March 31, 2027.',
  );
  await save(owner, 17);
  await pass(owner, 10);
  expect((await find(owner)).data?.budgets).toEqual([
    { igUsername: null, limit: 17, spent: 17, due: 0, monthly: 17 },
  ]);
});

test('a budget below what plans cost is refused with the sums, and only an owner sets one', async () => {
  const owner = await payer(app, deps, 'flo');
  expect(await save(owner, 16)).toMatchObject({
    code: 'budget_reached',
    message:
      'Plans of this workspace cost $17.00 a month, and this month $17.00 is spent or waiting for payment, and $0.00 is still due. A budget stops no renewal. Please set $17.00 or more, or stop a plan first.',
  });
  expect((await find(owner)).data?.budgets[0]?.limit).toBeNull();
  expect((await save(owner, 50, 'nobody')).code).toBe('not_found');
  expect((await find(owner, 'nobody')).code).toBe('not_found');
  const manager = await joinAs(deps, app, owner, 'flo.manager', 'Manager');
  expect((await save(manager, 100)).code).toBe('not_allowed');
  await save(owner, 20);
  expect((await find(manager)).data?.budgets[0]?.limit).toBe(20);
  expect((await buy(manager)).code).toBe('budget_reached');
});

test('a plan that ends leaves room, and doesn’t go on again when others have taken it', async () => {
  const owner = await payer(app, deps, 'gus');
  const plan = planOf(owner);
  const { code } = (await owner.client.call(CALLS.cancelSubscription, plan)).body;
  expect(code).toBeUndefined();
  deps.network.addAccount('gus.two');
  const second = { userId: owner.user.id, igUsername: 'gus.two' };
  await owner.client.call(CALLS.addAccount, second);
  await save(owner, 34);
  await payPlan(deps, owner, 'gus.two');
  await save(owner, 20);
  const resumed = (await owner.client.call(CALLS.resumeSubscription, plan)).body;
  expect(resumed).toMatchObject({ code: 'budget_reached' });
  expect(resumed.message).toContain('plans would cost $34.00 a month');
  await save(owner, 34);
  expect((await owner.client.call(CALLS.resumeSubscription, plan)).body.code).toBeUndefined();
});

test('the owner is told at 80 and at 100 percent, once each a month', async () => {
  deps.clock.set('2027-06-02T12:00:00Z');
  const owner = await payer(app, deps, 'hal');
  await save(owner, 45);
  await buy(owner);
  expect(await mailsOf(owner)).toEqual([]);
  await buy(owner);
  await save(owner, 46);
  expect(await mailsOf(owner)).toEqual(['82% of this month’s budget is used']);
  await save(owner, 47);
  await buy(owner);
  await save(owner, 57);
  await buy(owner);
  const told = ['82% of this month’s budget is used', 'This month’s budget is used up'];
  expect(await mailsOf(owner)).toEqual(told);
  deps.clock.set('2027-07-01T00:00:01Z');
  await pass(owner, 0);
  await save(owner, 27);
  expect(await mailsOf(owner)).toEqual(told);
  await buy(owner);
  await pass(owner, 2);
  expect(await mailsOf(owner)).toEqual([...told, 'This month’s budget is used up']);
});

test('a dearer plan can’t be planned in place of the cheaper one that the budget was set for', async () => {
  deps.clock.set('2027-08-10T12:00:00Z');
  const owner = await payer(app, deps, 'ida');
  expect((await changePlanTo(owner, 5)).code).toBeUndefined();
  expect((await changePlanTo(owner, 1)).code).toBeUndefined();
  expect((await save(owner, 17)).code).toBeUndefined();
  expect((await changePlanTo(owner, 4)).message).toContain(
    'With this, plans would cost $48.00 a month, and the budget for this workspace is $17.00.',
  );
  expect((await find(owner)).data?.budgets[0]?.monthly).toBe(9.99);
  expect((await changePlanTo(owner, 2)).code).toBeUndefined();
  expect((await find(owner)).data?.budgets[0]?.monthly).toBe(17);
});

test('a plan that was to end doesn’t go on beside what was bought in its place this month', async () => {
  deps.clock.set('2027-10-20T12:00:00Z');
  const owner = await payer(app, deps, 'jo');
  await pass(owner, 20);
  const plan = planOf(owner);
  await owner.client.call(CALLS.cancelSubscription, plan);
  await save(owner, 26);
  expect([(await buy(owner)).code, (await buy(owner)).code]).toEqual([undefined, undefined]);
  const resumed = (await owner.client.call(CALLS.resumeSubscription, plan)).body;
  expect(resumed).toMatchObject({ code: 'budget_reached' });
  expect(resumed.message).toContain(
    'With this, $17.00 more is due this month. Of this month’s budget of $26.00 for this workspace, $6.00 is left: $20.00 is spent or waiting for payment, and renewals of $0.00 are due by November 30, 2027.',
  );
  await save(owner, 37);
  expect((await owner.client.call(CALLS.resumeSubscription, plan)).body.code).toBeUndefined();
});

test('an account’s budget stays when somebody makes the account, before anything is bought, another one', async () => {
  deps.clock.set('2028-01-10T12:00:00Z');
  const owner = await payer(app, deps, 'kay');
  const userId = owner.user.id;
  for (const name of ['kay.two', 'kay.three']) deps.network.addAccount(name);
  await owner.client.call(CALLS.addAccount, { userId, igUsername: 'kay.two' });
  await save(owner, 24, 'kay.two');
  const change = { userId, oldIgUsername: 'kay.two', igUsername: 'kay.three' };
  expect((await owner.client.call(CALLS.updateUsername, change)).body.code).toBeUndefined();
  expect((await find(owner, 'kay.two')).data?.budgets[0]?.limit).toBe(24);
});

test('a plan doesn’t move to an account whose budget it is beyond', async () => {
  deps.clock.set('2028-02-10T12:00:00Z');
  const owner = await payer(app, deps, 'lea');
  const { id: userId, defaultIgUsername: oldIgUsername } = owner.user;
  deps.network.addAccount('lea.two');
  await owner.client.call(CALLS.addAccount, { userId, igUsername: 'lea.two' });
  await save(owner, 10, 'lea.two');
  await save(owner, 17);
  const move = { userId, oldIgUsername, igUsername: 'lea.two' };
  const refused = (await owner.client.call(CALLS.updateUsername, move)).body;
  expect(refused).toMatchObject({ code: 'budget_reached' });
  expect(refused.message).toContain(
    'plans would cost $17.00 a month, and the budget for @lea.two is $10.00. You were not charged. An owner can raise it under “Manage account”.',
  );
  expect((await find(owner, oldIgUsername)).data?.budgets[0]?.monthly).toBe(17);
  await save(owner, 17, 'lea.two');
  expect((await owner.client.call(CALLS.updateUsername, move)).body.code).toBeUndefined();
  expect((await find(owner, 'lea.two')).data?.budgets[0]?.monthly).toBe(17);
});
