import type { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { settleDueCardSetups } from '#server/money/payments/charge-janitor.job.ts';
import { LIMITS } from '#server/identity/limits/rate-limit.ts';
import type { ApiResponse } from '#test/calls/api-client.ts';
import { actionOf, bankIdOf } from '#test/money/bank-answers.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import { ASKING_CARD } from '#test/money/checkout-books.ts';
import { gatewayEvent, sendEvent } from '#test/money/gateway-events.ts';
import { type Payer, payer } from '#test/money/paying-customer.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

/** Cards that become the saved one without a charge: their banks ask, or they are entered on the gateway's page. */
let deps: TestDeps;
let app: Hono;
let ada: Payer;
let savedCard: string;
let keys = 0;
let customers = 0;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
beforeEach(async () => {
  deps.clock.advance(LIMITS.checkout.perMs);
  // Each test has the new cards of a fresh day.
  customers += 1;
  ada = await payer(app, deps, `ada${customers}`);
  const { body } = await ada.client.call(CALLS.findUser, { userId: ada.user.id });
  savedCard = body.data?.billingInfo?.ccNum ?? '';
});
afterAll(() => deps.database.close());

const newKey = () => ({ 'idempotency-key': `key-${(keys += 1)}` });
const codeOf = ({ body }: ApiResponse) => body.code;
const replacement = (card: object) => ({ ...CARD_FORM, ...card, userId: ada.user.id });
const stateOf = (paymentId: string) =>
  ada.client.call(CALLS.findPaymentState, { userId: ada.user.id, paymentId });
const giveUp = (paymentId: string) =>
  ada.client.call(CALLS.giveUpPayment, { userId: ada.user.id, paymentId });
const waiting = async () =>
  (await ada.client.call(CALLS.findWaitingPayments, { userId: ada.user.id })).body.data;

test('another card: it is the saved one after the bank’s yes only, and one waits at most', async () => {
  const form = replacement({ ccNum: '4000002500003155' });
  const key = newKey();
  const asked = await ada.client.call(CALLS.replaceBillingInfo, form, key);
  expect(asked.body).toMatchObject({
    code: 'payment_needs_action',
    message: 'Your bank asks you to confirm your card.',
    action: { amount: 0 },
  });
  const other = await ada.client.call(CALLS.replaceBillingInfo, replacement({}), newKey());
  expect(actionOf(other)).toEqual(actionOf(asked));
  const elsewhere = await ada.client.call(CALLS.enterCardElsewhere, { userId: ada.user.id });
  expect(codeOf(elsewhere)).toBe('payment_needs_action');
  expect(await waiting()).toMatchObject([{ what: 'card', amount: 0 }]);
  deps.gateway.confirmAtBank(bankIdOf(asked));
  const replaced = await ada.client.call(CALLS.replaceBillingInfo, form, key);
  expect(replaced.body).toMatchObject({
    message: 'Your card has been replaced.',
    data: { billingInfo: { ccNum: expect.stringMatching(/155$/) } },
  });
  expect(await waiting()).toEqual([]);
});

test('another card, confirmed in a browser that was closed then: the janitor saves it', async () => {
  const { client } = ada;
  const asked = await client.call(CALLS.replaceBillingInfo, replacement(ASKING_CARD), newKey());
  deps.gateway.confirmAtBank(bankIdOf(asked));
  deps.clock.advance(60_000);
  await settleDueCardSetups(deps);
  const { body } = await client.call(CALLS.findUser, { userId: ada.user.id });
  expect(body.data?.billingInfo?.ccNum).toMatch(/184$/);
  expect(await waiting()).toEqual([]);
});

test('news of the gateway about a card makes the next poll happen now, and says nothing itself', async () => {
  const { client } = ada;
  for (const type of ['setup_intent.succeeded', 'checkout.session.completed']) {
    const asked = await client.call(CALLS.replaceBillingInfo, replacement(ASKING_CARD), newKey());
    const tell = (id: string) =>
      sendEvent(app, gatewayEvent(type, { id }), { nowMs: deps.clock.now() });
    // Not true yet.
    expect((await tell(bankIdOf(asked))).status).toBe(200);
    await settleDueCardSetups(deps);
    expect(await waiting()).toMatchObject([{ what: 'card' }]);
    deps.gateway.confirmAtBank(bankIdOf(asked));
    await settleDueCardSetups(deps);
    expect(await waiting()).toMatchObject([{ what: 'card' }]);
    expect((await tell(bankIdOf(asked))).status).toBe(200);
    await settleDueCardSetups(deps);
    expect(await waiting()).toEqual([]);
  }
});

test('another card that nobody confirms within the hour stays out, and can’t be confirmed later', async () => {
  const { client } = ada;
  const asked = await client.call(CALLS.replaceBillingInfo, replacement(ASKING_CARD), newKey());
  deps.clock.advance(3_600_000);
  await settleDueCardSetups(deps);
  expect((await stateOf(actionOf(asked).paymentId)).body.data).toEqual({
    kind: 'declined',
    what: 'card',
    code: 'payment_not_confirmed',
    message: 'The card wasn’t confirmed in time. Nothing was changed.',
  });
  expect(deps.gateway.confirmAtBank(bankIdOf(asked))).toBe(false);
});

test('another card that its bank refuses stays out', async () => {
  const form = replacement(ASKING_CARD);
  const key = newKey();
  const asked = await ada.client.call(CALLS.replaceBillingInfo, form, key);
  deps.gateway.refuseAtBank(bankIdOf(asked));
  const again = await ada.client.call(CALLS.replaceBillingInfo, form, key);
  expect(again.body).toMatchObject({
    code: 'payment_not_confirmed',
    message: 'The card wasn’t confirmed. Nothing was changed.',
  });
  const { body } = await ada.client.call(CALLS.findUser, { userId: ada.user.id });
  expect(body.data?.billingInfo?.ccNum).toBe(savedCard);
});

test('a card entered on the gateway’s page becomes the saved one; the page is opened once', async () => {
  const userId = ada.user.id;
  const opened = await ada.client.call(CALLS.enterCardElsewhere, { userId });
  const { paymentId = '', url = '' } = opened.body.data ?? {};
  expect((await ada.client.call(CALLS.enterCardElsewhere, { userId })).body.data).toEqual({
    paymentId,
    url,
  });
  expect((await stateOf(paymentId)).body.data).toMatchObject({
    kind: 'needs_action',
    what: 'card',
    message: 'Please enter your card on the payment page.',
    action: { isCardPage: true },
  });
  const typed = { number: '5555555555554444', name: 'Ada Page', month: 3, year: 2031 };
  deps.gateway.enterCard(url.split('/').at(-1) ?? '', typed);
  expect((await stateOf(paymentId)).body.data).toMatchObject({
    kind: 'paid',
    what: 'card',
    user: { billingInfo: { ccName: 'Ada Page', ccMonth: '03', ccYear: '2031' } },
  });
});

test('a card entered on the gateway’s page, whose window was closed at once: its event saves it, and without one the janitor does', async () => {
  const { client, user } = ada;
  const saved = async () =>
    (await client.call(CALLS.findUser, { userId: user.id })).body.data?.billingInfo?.ccYear;
  const enter = async (year: number): Promise<string> => {
    const opened = await client.call(CALLS.enterCardElsewhere, { userId: user.id });
    const page = opened.body.data?.url.split('/').at(-1) ?? '';
    deps.gateway.enterCard(page, { number: '5555555555554444', name: 'Ada Page', month: 3, year });
    return page;
  };
  const told = gatewayEvent('checkout.session.completed', { id: await enter(2031) });
  expect((await sendEvent(app, told, { nowMs: deps.clock.now() })).status).toBe(200);
  await settleDueCardSetups(deps);
  expect(await saved()).toBe('2031');
  await enter(2032);
  // By then nobody has asked for an hour, and it is over.
  deps.clock.advance(3_600_000);
  await settleDueCardSetups(deps);
  expect(await saved()).toBe('2032');
  expect(await waiting()).toEqual([]);
});

test('a page whose answer was lost is opened by the janitor, in the last minute of its hour, too', async () => {
  deps.gateway.queueFailure({ kind: 'unknown', reason: 'timeout' });
  const lost = await ada.client.call(CALLS.enterCardElsewhere, { userId: ada.user.id });
  expect(codeOf(lost)).toBe('payment_unavailable');
  deps.clock.advance(59 * 60_000);
  await settleDueCardSetups(deps);
  const opened = (await waiting()) ?? [];
  expect(opened).toMatchObject([{ what: 'card', url: expect.any(String) as string }]);
  await giveUp(opened[0]?.paymentId ?? '');
  expect(await waiting()).toEqual([]);
});

test('a card whose answer died with its process is asked about before another one is entered', async () => {
  const { client, user } = ada;
  const asked = await client.call(CALLS.replaceBillingInfo, replacement(ASKING_CARD), newKey());
  const { paymentId } = actionOf(asked);
  await deps.database.db
    .updateTable('card_setup')
    .set({ state: 'sent', action_url: null, gateway_setup_id: null })
    .where('id', '=', paymentId)
    .execute();
  expect(await waiting()).toMatchObject([{ paymentId, what: 'card', url: null }]);
  const lost = { kind: 'unknown', reason: 'timeout' } as const;
  deps.gateway.queueFailure(lost, lost, lost);
  expect((await stateOf(paymentId)).body.data).toEqual({
    kind: 'checking',
    message: 'Your card is being checked. Please don’t enter another one yet.',
  });
  const elsewhere = () => client.call(CALLS.enterCardElsewhere, { userId: user.id });
  expect(codeOf(await elsewhere())).toBe('payment_unknown');
  const other = () => client.call(CALLS.replaceBillingInfo, replacement({}), newKey());
  expect(codeOf(await other())).toBe('payment_unknown');
  expect(actionOf(await other())).toEqual(actionOf(asked));
  expect(actionOf(await elsewhere())).toEqual(actionOf(asked));
  await giveUp(paymentId);
  expect(await waiting()).toEqual([]);
});

test('a page of the gateway’s that was completed meanwhile, or is over: the card is there, or another page', async () => {
  const userId = ada.user.id;
  const enter = async () => (await ada.client.call(CALLS.enterCardElsewhere, { userId })).body.data;
  const { paymentId = '', url = '' } = (await enter()) ?? {};
  expect(await waiting()).toMatchObject([{ paymentId, isCardPage: true }]);
  const typed = { number: '5555555555554444', name: 'Ada Page', month: 4, year: 2032 };
  deps.gateway.enterCard(url.split('/').at(-1) ?? '', typed);
  const back = `${deps.settings.publicUrl}/payment-return?payment=${paymentId}`;
  expect(await enter()).toEqual({ paymentId, url: back });
  expect((await stateOf(paymentId)).body.data).toMatchObject({
    kind: 'paid',
    what: 'card',
    user: { billingInfo: { ccMonth: '04', ccYear: '2032' } },
  });
  const over = await enter();
  deps.clock.advance(3_600_000);
  const next = await enter();
  expect(next?.paymentId).not.toBe(over?.paymentId);
  expect(next?.url).not.toBe(over?.url);
  expect(await waiting()).toMatchObject([{ paymentId: next?.paymentId, url: next?.url }]);
  await giveUp(next?.paymentId ?? '');
});

test('a page of the gateway’s: given up, not to be had, and too often', async () => {
  const userId = ada.user.id;
  const enter = () => ada.client.call(CALLS.enterCardElsewhere, { userId });
  const { paymentId = '' } = (await enter()).body.data ?? {};
  expect((await giveUp(paymentId)).body.data).toMatchObject({
    kind: 'declined',
    message: 'Saving the card was canceled. Nothing was changed.',
  });
  deps.gateway.queueFailure({ kind: 'rejected', reason: 'api_key_expired' });
  expect(codeOf(await enter())).toBe('payment_unavailable');
  for (let asked = 0; asked < LIMITS.checkout.uses; asked += 1) {
    const { body } = await enter();
    if (body.data) await giveUp(body.data.paymentId);
  }
  expect(codeOf(await enter())).toBe('rate_limited');
});

test('a customer enters twenty new cards a day, and then none until the next', async () => {
  const { client, user } = ada;
  const enter = () => {
    deps.clock.advance(LIMITS.checkout.perMs);
    return client.call(CALLS.replaceBillingInfo, { ...CARD_FORM, userId: user.id }, newKey());
  };
  for (let entered = 1; entered < LIMITS.newCard.uses; entered += 1) {
    expect((await enter()).httpStatus).toBe(200);
  }
  const asked = deps.gateway.calls.length;
  expect((await enter()).body).toMatchObject({
    code: 'payment_unavailable',
    message:
      'Too many new cards were entered today. You were not charged. Please use your saved card, or try again in 21 hours.',
  });
  const elsewhere = await client.call(CALLS.enterCardElsewhere, { userId: user.id });
  expect(codeOf(elsewhere)).toBe('payment_unavailable');
  expect(deps.gateway.calls).toHaveLength(asked);
});
