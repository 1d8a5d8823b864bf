import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { composeMail } from '#server/mail/compose-mail.ts';
import { createApp } from '#server/main/app.ts';
import { actionOf, bankIdOf } from '#test/money/bank-answers.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import { ASKING_CARD } from '#test/money/checkout-books.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

const OTHER_CARD = { ...CARD_FORM, ccNum: '5555555555554444' };
let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

/** A customer whose first plan was paid with the card that ends in 242. */
async function subscribe(name: string): Promise<Customer> {
  const customer = await registerCustomer(app, deps, name);
  const plan = { userId: customer.user.id, igUsername: name, packageIndex: 2 };
  await customer.client.call(CALLS.addSubscription, { ...plan, ...CARD_FORM });
  return customer;
}

const pack = ({ user }: Customer) => ({ userId: user.id, amount: 10, credits: 2500 });

async function cardOf({ client, user }: Customer): Promise<string> {
  const { body } = await client.call(CALLS.findUser, { userId: user.id });
  return body.data?.billingInfo?.ccNum ?? 'none';
}

const chargedMethods = () => deps.gateway.charges.map(({ request }) => request.paymentMethodId);

test('a pack and a second account’s plan are paid with the saved card, and no other is made', async () => {
  const customer = await subscribe('first');
  const { client, user } = customer;
  const [method] = chargedMethods().slice(-1);
  const savedCard = await cardOf(customer);
  const bought = await client.call(CALLS.buyCreditsWithSavedCard, { ...pack(customer), savedCard });
  expect(bought.body.data?.credits).toBe(2500);
  deps.network.addAccount('second');
  await client.call(CALLS.addAccount, { userId: user.id, igUsername: 'second' });
  const plan = { userId: user.id, igUsername: 'second', packageIndex: 1, savedCard };
  expect((await client.call(CALLS.addSubscriptionWithSavedCard, plan)).httpStatus).toBe(200);
  expect(chargedMethods().slice(-3)).toEqual([method, method, method]);
  const cards = await deps.database.db.selectFrom('card').select('id').execute();
  expect(cards).toHaveLength(1);
});

test('each owner is mailed once that the card was replaced, whoever did it, and nobody else', async () => {
  const owner = await subscribe('told');
  const other = await joinAs(deps, app, owner, 'told.other', 'Owner');
  const manager = await joinAs(deps, app, owner, 'told.manager', 'Manager');
  const form = { userId: manager.user.id, ...OTHER_CARD };
  const key = { 'idempotency-key': deps.ids.uuid() };
  for (let time = 0; time < 2; time += 1) {
    const answer = await manager.client.call(CALLS.replaceBillingInfo, form, key);
    expect(answer.body.status).toBe('success');
  }
  const rows = await deps.database.db.selectFrom('owed_mail').selectAll().orderBy('id').execute();
  const told = rows.filter(({ payload }) => payload.kind === 'card_replaced');
  const mails = await Promise.all(told.map((row) => composeMail(deps, row)));
  expect(mails.map((mail) => mail?.to)).toEqual([owner.user.email, other.user.email]);
  expect(mails[0]?.text).toMatch(/card ending in 444 from now on/);
});

test('a new card pays for what it is entered for; for all plans only when the customer says so', async () => {
  const customer = await subscribe('careful');
  const saved = await cardOf(customer);
  await customer.client.call(CALLS.buyCredits, { ...pack(customer), ...OTHER_CARD });
  expect(await cardOf(customer)).toBe(saved);
  const forAll = { ...pack(customer), ...OTHER_CARD, forAllPlans: true };
  expect((await customer.client.call(CALLS.buyCredits, forAll)).httpStatus).toBe(200);
  expect(await cardOf(customer)).not.toBe(saved);
});

test('a new card for all plans that its bank asks about is the saved one after the bank’s yes only', async () => {
  const customer = await subscribe('asked');
  const { client, user } = customer;
  const saved = await cardOf(customer);
  const forAll = { ...pack(customer), ...CARD_FORM, ...ASKING_CARD, forAllPlans: true };
  const asked = await client.call(CALLS.buyCredits, forAll);
  expect(await cardOf(customer)).toBe(saved);
  deps.gateway.confirmAtBank(bankIdOf(asked));
  const { paymentId } = actionOf(asked);
  const { body } = await client.call(CALLS.findPaymentState, { userId: user.id, paymentId });
  expect(body.data).toMatchObject({ kind: 'paid', what: 'credits' });
  expect(await cardOf(customer)).toMatch(/184$/);
});

test('a card that was replaced meanwhile, and one that never was saved, are not charged', async () => {
  const customer = await subscribe('replacer');
  const savedCard = await cardOf(customer);
  const { client, user } = customer;
  await client.call(CALLS.replaceBillingInfo, { userId: user.id, ...OTHER_CARD });
  const charges = deps.gateway.charges.length;
  const refused = await client.call(CALLS.buyCreditsWithSavedCard, {
    ...pack(customer),
    savedCard,
  });
  expect(refused.httpStatus).toBe(404);
  expect(refused.body.message).toContain('You were not charged');
  const stranger = await registerCustomer(app, deps, 'nocard');
  const guessed = { ...pack(stranger), savedCard };
  expect((await stranger.client.call(CALLS.buyCreditsWithSavedCard, guessed)).httpStatus).toBe(404);
  expect(deps.gateway.charges).toHaveLength(charges);
});

test('a declined saved card takes the sentence of the form, and one key is one payment', async () => {
  const customer = await subscribe('declined');
  const savedCard = await cardOf(customer);
  const form = { ...pack(customer), savedCard };
  deps.gateway.queueFailure({ kind: 'declined', code: 'insufficient_funds' });
  const declined = await customer.client.call(CALLS.buyCreditsWithSavedCard, form);
  expect([declined.httpStatus, declined.body.message]).toEqual([402, 'Unable to process payment']);
  const key = { 'idempotency-key': 'one-purchase' };
  const twice = await Promise.all([
    customer.client.call(CALLS.buyCreditsWithSavedCard, form, key),
    customer.client.call(CALLS.buyCreditsWithSavedCard, form, key),
  ]);
  expect(twice.map(({ body }) => body.data?.credits)).toEqual([2500, 2500]);
});

test('a card is good until its month ends where its customer is', async () => {
  deps.clock.set('2030-05-01T06:00:00Z');
  const home = { timeZone: 'Pacific/Honolulu' };
  const { client, user } = await registerCustomer(app, deps, 'islander', home);
  const form = { userId: user.id, ...CARD_FORM, ccMonth: '04', ccYear: '2030' };
  expect((await client.call(CALLS.replaceBillingInfo, form)).body.status).toBe('success');
  deps.clock.set('2030-05-01T10:00:00Z');
  expect((await client.call(CALLS.replaceBillingInfo, form)).body.code).toBe('card_invalid');
});
