import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as v from 'valibot';
import { CALLS } from '#shared/contract/calls.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import type { Role } from '#shared/domain/people/may.ts';
import { LIMITS } from '#server/identity/limits/rate-limit.ts';
import { selectPeople } from '#server/kit/db/people.ts';
import { createApp } from '#server/main/app.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import { ASKING_CARD } from '#test/money/checkout-books.ts';
import { createNode, newShopper, type Told } from '#test/checkout-fixture.ts';
import { insertAccount } from '#server/network/accounts/account.repository.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { changePlanTo, payPlan } from '#test/money/paying-customer.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { settleDueCharges } from '../payments/charge-janitor.job.ts';
import { giveUpCharge } from '../settlement/collect-charge.service.ts';
import { countReturned, refuseMoreReturns } from './return-limits.ts';
import { limitNewCards } from './card-limits.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

/** An owner with four managers, or further owners, each also as the limits know them. */
async function team(name: string, role: Role = 'Manager') {
  const owner = await registerCustomer(app, deps, name);
  const managers: Customer[] = [];
  for (const nth of ['one', 'two', 'three', 'four']) {
    managers.push(await joinAs(deps, app, owner, `${name}.${nth}`, role));
  }
  const members = await selectPeople(deps.database.db)
    .select(['app_user.email', 'membership.workspace_id', 'membership.user_id'])
    .where('membership.workspace_id', '=', owner.user.membership?.workspaceId ?? '')
    .execute();
  const personOf = ({ user }: Customer) => {
    const member = members.find(({ email }) => email === user.email);
    if (!member) throw new Error(`${user.email} is no member.`);
    return { workspaceId: member.workspace_id, userId: member.user_id };
  };
  return { owner, managers, personOf };
}

const WORD = { code: 'payment_unavailable' };

test('a manager who enters twenty cards that are declined keeps no owner from entering one', async () => {
  const { owner, managers, personOf } = await team('cards');
  await payPlan(deps, owner);
  const [manager] = managers;
  if (!manager) throw new Error('Nobody has joined.');
  for (let entered = 0; entered < LIMITS.newCard.uses; entered += 1) {
    await limitNewCards(deps, personOf(manager));
  }
  const enter = ({ client, user }: Customer) =>
    client.call(CALLS.replaceBillingInfo, { userId: user.id, ...CARD_FORM });
  expect((await enter(manager)).body).toMatchObject(WORD);
  expect((await enter(owner)).httpStatus).toBe(200);
});

test('managers together enter sixty new cards a day, and the owner still one', async () => {
  const { owner, managers, personOf } = await team('many_cards');
  // One less than everybody's own, so that what is refused is what they have together.
  const tries = managers.flatMap((manager) =>
    Array.from({ length: LIMITS.newCard.uses - 1 }, () => personOf(manager)),
  );
  const limit = 3 * LIMITS.newCard.uses;
  for (const person of tries.slice(0, limit)) await limitNewCards(deps, person);
  for (const person of tries.slice(limit)) {
    await expect(limitNewCards(deps, person)).rejects.toMatchObject(WORD);
  }
  await limitNewCards(deps, personOf(owner));
});

test('owners together enter sixty new cards a day, however many there are, and whose home it is still one', async () => {
  const { owner, managers: others, personOf } = await team('owned_cards', 'Owner');
  const tries = others.flatMap((other) =>
    Array.from({ length: LIMITS.newCard.uses - 1 }, () => personOf(other)),
  );
  const limit = 3 * LIMITS.newCard.uses;
  for (const person of tries.slice(0, limit)) await limitNewCards(deps, person);
  for (const person of tries.slice(limit)) {
    await expect(limitNewCards(deps, person)).rejects.toMatchObject(WORD);
  }
  await limitNewCards(deps, personOf(owner));
});

test('payments of managers with other cards keep the managers from paying, and not the owner', async () => {
  const { owner, managers, personOf } = await team('others');
  const mayPay = (of: Customer) =>
    refuseMoreReturns(deps, { ...personOf(of), attemptId: deps.ids.uuid() });
  const last = managers.pop();
  if (!last) throw new Error('Nobody has joined.');
  for (const manager of managers) {
    await mayPay(last);
    const { workspaceId, userId: askedBy } = personOf(manager);
    for (let paid = 0; paid < LIMITS.returned.uses; paid += 1) {
      await mayPay(manager);
      await countReturned(deps, { workspaceId, askedBy, isPresent: true });
    }
    await expect(mayPay(manager)).rejects.toMatchObject(WORD);
  }
  await expect(mayPay(last)).rejects.toMatchObject(WORD);
  await mayPay(owner);
});

test('whoever paid three times with another card changes to no dearer plan, and to a cheaper one', async () => {
  const { owner, personOf } = await team('changes');
  await payPlan(deps, owner);
  const { workspaceId, userId: askedBy } = personOf(owner);
  for (let paid = 0; paid < LIMITS.returned.uses; paid += 1) {
    await countReturned(deps, { workspaceId, askedBy, isPresent: true });
  }
  const sent = deps.gateway.charges.length;
  expect(await changePlanTo(owner, 3)).toMatchObject(WORD);
  expect(deps.gateway.charges).toHaveLength(sent);
  expect(await changePlanTo(owner, 1)).toMatchObject({ status: 'success' });
});

const actionOf = (told: Told) => (told.kind === 'error' ? told.error.action : undefined);

test('while three payments wait for a bank, a fourth isn’t begun until one of them is over', async () => {
  const shopper = await newShopper(deps, 'waits');
  const { workspaceId } = shopper.session;
  const submit = createNode(deps);
  const pay = async (igUsername: string) => {
    deps.network.addAccount(igUsername);
    const account = { workspaceId, id: deps.ids.uuid(), igUsername };
    const now = new Date(deps.clock.now());
    await deps.database.transaction((tx) => insertAccount(tx, { ...account, now }));
    return submit(shopper, igUsername, { ...ASKING_CARD, igUsername });
  };
  const first = await submit(shopper, 'form', ASKING_CARD);
  for (const name of ['waits_second', 'waits_third']) {
    expect(actionOf(await pay(name))).toBeDefined();
  }
  const sent = deps.gateway.calls.length;
  expect(await pay('waits_fourth')).toMatchObject({
    error: {
      ...WORD,
      message:
        'Several payments are still waiting for a bank. You were not charged. Please confirm or cancel one of them under Billing first.',
    },
  });
  expect(deps.gateway.calls).toHaveLength(sent);
  // The one that waits for the same account is still told as such.
  expect(actionOf(await submit(shopper, 'again', ASKING_CARD))).toEqual(actionOf(first));
  await giveUpCharge(deps, { workspaceId, chargeId: actionOf(first)?.paymentId ?? '' });
  expect(actionOf(await pay('waits_fifth'))).toBeDefined();
});

test('whoever stops a plan while the bank asks for its change gets the money back three times a day, and may always stop it', async () => {
  const customer = await registerCustomer(app, deps, 'stops_and_pays');
  const { client, user } = customer;
  const name = { userId: user.id, igUsername: user.defaultIgUsername };
  const plan = { ...name, packageIndex: 1, ...CARD_FORM, ...ASKING_CARD };
  const confirm = async (body: object): Promise<void> => {
    const { action } = v.parse(v.object({ action: v.object({ url: v.string() }) }), body);
    deps.gateway.confirmAtBank(action.url.split('/').at(-1) ?? '');
    deps.clock.advance(MINUTE_MS);
    await settleDueCharges(deps);
  };
  await confirm((await client.call(CALLS.addSubscription, plan)).body);
  for (let round = 0; round < LIMITS.returned.uses; round += 1) {
    const asked = await changePlanTo(customer, 9);
    expect((await client.call(CALLS.cancelSubscription, name)).httpStatus).toBe(200);
    await confirm(asked);
    expect((await client.call(CALLS.resumeSubscription, name)).httpStatus).toBe(200);
    deps.clock.advance(10 * MINUTE_MS);
  }
  expect(await changePlanTo(customer, 9)).toMatchObject(WORD);
  expect((await client.call(CALLS.cancelSubscription, name)).httpStatus).toBe(200);
});
