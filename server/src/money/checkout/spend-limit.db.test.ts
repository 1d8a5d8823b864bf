import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { CARD_FORM } from '#test/card-form.ts';
import { type Customer, registerCustomer } from '#test/customers.ts';
import { changePlanTo, payPlan } from '#test/paying-customer.ts';
import { joinAs } from '#test/team.ts';
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
  const { client, user } = owner;
  const change = { userId: user.id, memberId: manager.user.id, role: 'Manager' as const };
  await client.call(CALLS.changeMember, { ...change, spendLimit });
  return { owner, manager };
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
  await payPlan(owner);
  const charges = deps.gateway.charges.length;
  expect((await changePlanTo(manager, 9, owner.user.defaultIgUsername)).code).toBe('spend_limit');
  expect(deps.gateway.charges).toHaveLength(charges);
  // One that fits is charged, and is spent.
  expect((await changePlanTo(manager, 3, owner.user.defaultIgUsername)).code).toBeUndefined();
  expect((await buy(manager)).code).toBeUndefined();
  expect((await buy(manager)).code).toBe('spend_limit');
});
