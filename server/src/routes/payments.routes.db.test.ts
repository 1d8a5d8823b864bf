import type { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { keepNotices } from '#server/audit/audit-notices.job.ts';
import { createApp } from '#server/main/app.ts';
import { LIMITS } from '#server/identity/limits/rate-limit.ts';
import type { ApiResponse } from '#test/calls/api-client.ts';
import { actionOf, bankIdOf } from '#test/money/bank-answers.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import { ASKING_CARD, ASKING_EMPTY_CARD } from '#test/money/checkout-books.ts';
import { moneyProblems } from '#test/money/gateway-fixture.ts';
import { auditOf, type Payer, payer } from '#test/money/paying-customer.ts';
import { countUses } from '#test/people/counted-uses.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

/** What waits for the customer's bank, asked over HTTP. */
let deps: TestDeps;
let app: Hono;
let ada: Payer;
let bea: Payer;
let savedCard: string;
let keys = 0;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
  ada = await payer(app, deps, 'ada');
  bea = await payer(app, deps, 'bea');
});
beforeEach(async () => {
  // Each test has the checkouts of a fresh hour, and another card is asked about in person.
  deps.clock.advance(LIMITS.checkout.perMs);
  const { body } = await ada.client.call(CALLS.findUser, { userId: ada.user.id });
  savedCard = body.data?.billingInfo?.ccNum ?? '';
});
afterAll(() => deps.database.close());

const newKey = () => ({ 'idempotency-key': `key-${(keys += 1)}` });
const codeOf = ({ body }: ApiResponse) => body.code;

async function connect(igUsername: string): Promise<string> {
  deps.network.addAccount(igUsername);
  const { body } = await ada.client.call(CALLS.addAccount, { userId: ada.user.id, igUsername });
  return body.data?.igId ?? '';
}

const plan = (igUsername: string) => ({ userId: ada.user.id, igUsername, packageIndex: 1 });
const pack = () => ({ userId: ada.user.id, amount: 10, credits: 2500 });
const replacement = (card: object) => ({ ...CARD_FORM, ...card, userId: ada.user.id });
const stateOf = (paymentId: string, { client, user } = ada) =>
  client.call(CALLS.findPaymentState, { userId: user.id, paymentId });
const giveUp = (paymentId: string, { client, user } = ada) =>
  client.call(CALLS.giveUpPayment, { userId: user.id, paymentId });
const waiting = async () =>
  (await ada.client.call(CALLS.findWaitingPayments, { userId: ada.user.id })).body.data;

/** Makes a card the saved one that its bank always asks about. */
async function saveAskingCard(card: { ccNum: string } = ASKING_CARD): Promise<void> {
  const { client } = ada;
  const asked = await client.call(CALLS.replaceBillingInfo, replacement(card), newKey());
  deps.gateway.confirmAtBank(bankIdOf(asked));
  const { body } = await stateOf(actionOf(asked).paymentId);
  expect(body.data).toMatchObject({ kind: 'paid', what: 'card', amount: 0 });
  if (body.data?.kind === 'paid') savedCard = body.data.user.billingInfo?.ccNum ?? '';
}

test('a plan with a new card: asked, confirmed, and each poll says where it stands', async () => {
  await connect('plan');
  const form = { ...CARD_FORM, ...ASKING_CARD, ...plan('plan') };
  const key = newKey();
  const asked = await ada.client.call(CALLS.addSubscription, form, key);
  expect(asked.httpStatus).toBe(402);
  expect(asked.body).toMatchObject({
    status: 'error',
    code: 'payment_needs_action',
    message: 'Your bank asks you to confirm $9.99.',
    action: { amount: 9.99 },
  });
  const { paymentId } = actionOf(asked);
  expect((await stateOf(paymentId)).body.data).toEqual({
    kind: 'needs_action',
    what: 'subscription',
    message: 'Your bank asks you to confirm $9.99.',
    action: asked.body.action,
  });
  expect(await waiting()).toMatchObject([
    { paymentId, what: 'subscription', igUsername: 'plan', amount: 9.99, url: actionOf(asked).url },
  ]);
  deps.gateway.confirmAtBank(bankIdOf(asked));
  expect((await stateOf(paymentId)).body.data).toMatchObject({
    kind: 'paid',
    what: 'subscription',
    igUsername: 'plan',
    amount: 9.99,
    user: { id: ada.user.id },
  });
  expect(await waiting()).toEqual([]);
  expect((await ada.client.call(CALLS.addSubscription, form, key)).httpStatus).toBe(200);
});

test('a plan with the saved card, given up: not confirmed, and free for another try', async () => {
  await saveAskingCard();
  await connect('given_up');
  const form = { ...plan('given_up'), savedCard };
  const key = newKey();
  const asked = await ada.client.call(CALLS.addSubscriptionWithSavedCard, form, key);
  expect(codeOf(asked)).toBe('payment_needs_action');
  const { paymentId } = actionOf(asked);
  expect((await giveUp(paymentId)).body.data).toEqual({
    kind: 'declined',
    what: 'subscription',
    igUsername: 'given_up',
    code: 'payment_not_confirmed',
    message: 'You canceled the payment. You were not charged.',
  });
  expect(deps.gateway.confirmAtBank(bankIdOf(asked))).toBe(false);
  const again = await ada.client.call(CALLS.addSubscriptionWithSavedCard, form, key);
  expect(codeOf(again)).toBe('payment_not_confirmed');
  expect((await giveUp(paymentId)).body.data).toMatchObject({ kind: 'declined' });
});

test('a new card for a plan, refused at the bank: not confirmed', async () => {
  await connect('refused');
  const form = { ...CARD_FORM, ...ASKING_CARD, ...plan('refused') };
  const key = newKey();
  const asked = await ada.client.call(CALLS.addSubscription, form, key);
  deps.gateway.refuseAtBank(bankIdOf(asked));
  const again = await ada.client.call(CALLS.addSubscription, form, key);
  expect(codeOf(again)).toBe('payment_not_confirmed');
  expect(again.body.message).toBe('Your bank didn’t confirm the payment. You were not charged.');
});

test('credits: a second try while the bank asks gets the payment that waits', async () => {
  for (const call of [CALLS.buyCredits, CALLS.buyCreditsWithSavedCard] as const) {
    const isNew = call === CALLS.buyCredits;
    const means = isNew ? { ...CARD_FORM, ...ASKING_CARD } : { savedCard };
    const form = { ...pack(), ...means } as never;
    const key = newKey();
    const asked = await ada.client.call(call, form, key);
    expect(codeOf(asked)).toBe('payment_needs_action');
    const other = await ada.client.call(call, form, newKey());
    expect(actionOf(other)).toEqual(actionOf(asked));
    expect(await waiting()).toMatchObject([{ what: 'credits', amount: 10 }]);
    deps.gateway.refuseAtBank(bankIdOf(asked));
    expect(codeOf(await ada.client.call(call, form, key))).toBe('payment_not_confirmed');
  }
});

test('a plan change: while the bank asks there is no other quote and no pause', async () => {
  const { userId } = { userId: ada.user.id };
  const quote = () =>
    ada.client.call(CALLS.quotePlan, { userId, igUsername: 'ada', packageIndex: 3 });
  const quoteId = (await quote()).body.data?.quoteId ?? '';
  const key = newKey();
  const asked = await ada.client.call(CALLS.changePlan, { userId, quoteId }, key);
  expect(codeOf(asked)).toBe('payment_needs_action');
  expect(actionOf(await quote())).toEqual(actionOf(asked));
  const until = new Date(deps.clock.now() + 5 * 86_400_000).toISOString();
  const pause = await ada.client.call(CALLS.pauseSubscription, {
    userId,
    igUsername: 'ada',
    until,
  });
  expect(codeOf(pause)).toBe('payment_needs_action');
  deps.gateway.refuseAtBank(bankIdOf(asked));
  expect((await stateOf(actionOf(asked).paymentId)).body.data).toMatchObject({
    kind: 'declined',
    what: 'plan_change',
    code: 'payment_not_confirmed',
  });
  const again = await ada.client.call(CALLS.changePlan, { userId, quoteId }, key);
  expect(codeOf(again)).toBe('payment_not_confirmed');
});

test('an account whose payment waits at the bank stays, and says what to do', async () => {
  await connect('stays');
  const form = { ...CARD_FORM, ...ASKING_CARD, ...plan('stays') };
  const asked = await ada.client.call(CALLS.addSubscription, form, newKey());
  const removed = await ada.client.call(CALLS.removeAccount, {
    userId: ada.user.id,
    igUsername: 'stays',
  });
  expect(removed.body).toMatchObject({
    code: 'account_in_use',
    message:
      'A payment for @stays is waiting for you to confirm it with your bank. Please confirm or cancel it first.',
  });
  await giveUp(actionOf(asked).paymentId);
});

test('another customer’s payment, and none at all, are not found; both are audited', async () => {
  const form = { ...pack(), ...CARD_FORM, ...ASKING_CARD };
  const asked = await ada.client.call(CALLS.buyCredits, form, newKey());
  const { paymentId } = actionOf(asked);
  expect(codeOf(await stateOf(paymentId, bea))).toBe('not_found');
  expect(codeOf(await giveUp(paymentId, bea))).toBe('not_found');
  expect(codeOf(await stateOf(bea.user.id, bea))).toBe('not_found');
  await keepNotices(deps);
  expect(await auditOf(deps, bea, /^unknown_payment/)).toHaveLength(3);
  expect((await stateOf(paymentId)).body.data).toMatchObject({ kind: 'needs_action' });
  deps.gateway.confirmAtBank(bankIdOf(asked));
  expect((await stateOf(paymentId)).body.data).toMatchObject({ kind: 'paid', what: 'credits' });
});

test('looks and cancellations have a limit', async () => {
  expect(codeOf(await stateOf(ada.user.id))).toBe('not_found');
  await countUses(deps, LIMITS.payment, LIMITS.payment.uses - 2);
  expect(codeOf(await stateOf(ada.user.id))).toBe('not_found');
  expect(codeOf(await stateOf(ada.user.id))).toBe('rate_limited');
  expect(codeOf(await giveUp(ada.user.id))).toBe('rate_limited');
});

test('a gateway that doesn’t answer: being checked', async () => {
  const form = { ...pack(), ...CARD_FORM, ...ASKING_EMPTY_CARD };
  const asked = await ada.client.call(CALLS.buyCredits, form, newKey());
  deps.gateway.queueFailure({ kind: 'unknown', reason: 'http_500' });
  expect((await stateOf(actionOf(asked).paymentId)).body.data).toEqual({
    kind: 'checking',
    message: 'Your payment is being checked. Please do not pay again.',
  });
  deps.gateway.confirmAtBank(bankIdOf(asked));
  expect((await stateOf(actionOf(asked).paymentId)).body.data).toMatchObject({
    kind: 'declined',
    what: 'credits',
    code: 'insufficient_funds',
  });
});

test('the books of all of them are equal to the cent', async () => {
  expect(await moneyProblems(deps)).toEqual([]);
});
