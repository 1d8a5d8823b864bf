import type { Stripe } from 'stripe';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { GatewayWorld } from '../stripe-client.fake.ts';
import { cardOf, createGatewayWorld, refusal } from '../stripe-client.fake.ts';

const ASKS = '4000002500003155';
const ALWAYS_ASKS = '4000002760003184';
const ASKS_THEN_POOR = '4000008260003178';
const RETURN = 'http://localhost:3000/payment-return?payment=1';

let gateway: GatewayWorld;
let stripe: Stripe;

beforeEach(async () => {
  gateway = await createGatewayWorld();
  stripe = gateway.stripe;
});

afterEach(() => gateway.stop());

/** A fresh card of a browser, and a new customer. */
async function fresh(number: string): Promise<{ customer: string; payment_method: string }> {
  const customer = await stripe.customers.create({ email: 'mia@example.com' });
  const browser = gateway.client('pk_test_sandbox');
  const method = await browser.paymentMethods.create(cardOf(number));
  return { customer: customer.id, payment_method: method.id };
}

const present = (who: { customer: string; payment_method: string }) =>
  stripe.paymentIntents.create({
    ...who,
    amount: 2400,
    currency: 'usd',
    confirm: true,
    setup_future_usage: 'off_session',
    return_url: RETURN,
    metadata: { chargeId: 'charge-1' },
  });

/** Answers on the bank's page, as a browser does; says where it leads to. */
async function answer(intent: Stripe.PaymentIntent | Stripe.SetupIntent, decision: string) {
  const url = new URL(intent.next_action?.redirect_to_url?.url ?? '');
  const response = await gateway.world.app.request(url.pathname, {
    method: 'POST',
    body: new URLSearchParams({ decision }),
  });
  return new URL(response.headers.get('location') ?? 'about:blank', 'http://bank');
}

test.each([ASKS, ALWAYS_ASKS, '4000000000003220'])(
  'card %s is asked about, and paid once its bank has a yes',
  async (number) => {
    const who = await fresh(number);
    const intent = await present(who);
    expect(intent).toMatchObject({
      status: 'requires_action',
      amount_received: 0,
      latest_charge: null,
      payment_method: who.payment_method,
      next_action: { type: 'redirect_to_url', redirect_to_url: { return_url: RETURN } },
    });
    expect(await gateway.charges()).toMatchObject([{ status: 'pending' }]);
    const back = await answer(intent, 'confirm');
    expect(Object.fromEntries(back.searchParams)).toEqual({
      payment: '1',
      payment_intent: intent.id,
      payment_intent_client_secret: intent.client_secret,
      redirect_status: 'succeeded',
    });
    const paid = await stripe.paymentIntents.retrieve(intent.id, { expand: ['payment_method'] });
    expect(paid).toMatchObject({
      status: 'succeeded',
      amount_received: 2400,
      next_action: null,
      payment_method: { id: who.payment_method, customer: who.customer },
    });
    expect(await gateway.charges()).toMatchObject([{ status: 'succeeded', amountCents: 2400 }]);
  },
);

test('a refusal on the bank’s page leaves nothing paid, and another card may be tried', async () => {
  const who = await fresh(ASKS);
  const intent = await present(who);
  expect((await answer(intent, 'refuse')).searchParams.get('redirect_status')).toBe('failed');
  expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
    status: 'requires_payment_method',
    payment_method: null,
    last_payment_error: {
      type: 'invalid_request_error',
      code: 'payment_intent_authentication_failure',
      payment_method: { id: who.payment_method },
    },
  });
  const other = await stripe.paymentMethods.create(cardOf('4242424242424242'));
  const again = await stripe.paymentIntents.confirm(intent.id, { payment_method: other.id });
  expect(again).toMatchObject({ status: 'succeeded', last_payment_error: null });
});

test('who leaves without an answer finds the same question again, and it can be canceled', async () => {
  const intent = await present(await fresh(ASKS));
  expect((await answer(intent, 'close')).pathname).toBe('/bank/closed');
  expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
    status: 'requires_action',
    next_action: intent.next_action,
  });
  const reason = 'abandoned';
  const canceled = await stripe.paymentIntents.cancel(intent.id, { cancellation_reason: reason });
  expect(canceled).toMatchObject({
    status: 'canceled',
    cancellation_reason: reason,
    next_action: null,
  });
  expect(canceled.canceled_at).toBeGreaterThan(0);
  expect((await answer(intent, 'confirm')).searchParams.get('redirect_status')).toBe('failed');
  expect(await gateway.charges()).toMatchObject([{ status: 'canceled' }]);
});

test('a yes can’t be canceled any more, whoever is second', async () => {
  const intent = await present(await fresh(ASKS));
  await answer(intent, 'confirm');
  expect(await refusal(stripe.paymentIntents.cancel(intent.id))).toMatchObject({
    statusCode: 400,
    code: 'payment_intent_unexpected_state',
    payment_intent: { id: intent.id, status: 'succeeded' },
  });
  expect((await answer(intent, 'refuse')).searchParams.get('redirect_status')).toBe('succeeded');
  expect(await gateway.charges()).toMatchObject([{ status: 'succeeded' }]);
});

test('card 3178 says yes to its bank and has no money', async () => {
  const intent = await present(await fresh(ASKS_THEN_POOR));
  expect((await answer(intent, 'confirm')).searchParams.get('redirect_status')).toBe('failed');
  expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { type: 'card_error', decline_code: 'insufficient_funds' },
  });
});

test('without its cardholder a card pays once it was set up; one that always asks does not', async () => {
  const outcomes: string[] = [];
  for (const number of [ASKS, ALWAYS_ASKS]) {
    const who = await fresh(number);
    await answer(await present(who), 'confirm');
    const renewal = gateway.pay(who, 1700);
    outcomes.push(
      await renewal.then(
        ({ status }) => status,
        ({ code }: Stripe.errors.StripeError) => String(code),
      ),
    );
  }
  expect(outcomes).toEqual(['succeeded', 'authentication_required']);
});

test('a card that needs its cardholder is refused without, and the same intent asks with', async () => {
  const saved = await gateway.savedCard(ASKS);
  const error = await refusal(gateway.pay(saved));
  expect(error).toMatchObject({
    statusCode: 402,
    code: 'authentication_required',
    decline_code: 'authentication_required',
    payment_intent: { status: 'requires_payment_method' },
  });
  const { payment_method } = saved;
  const params = { payment_method, return_url: RETURN };
  const intent = await stripe.paymentIntents.confirm(error.payment_intent?.id ?? '', params);
  expect(intent.status).toBe('requires_action');
  await answer(intent, 'confirm');
  expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('succeeded');
});

test('whoever can’t wait for a bank is told no at once', async () => {
  const who = await fresh(ASKS);
  const call = stripe.paymentIntents.create({
    ...who,
    amount: 2400,
    currency: 'usd',
    confirm: true,
    error_on_requires_action: true,
  });
  expect(await refusal(call)).toMatchObject({ statusCode: 402, code: 'authentication_required' });
});

test('an intent waits for a card, then for its confirmation', async () => {
  const { customer, payment_method } = await fresh('4242424242424242');
  const asked = { amount: 2400, currency: 'usd', customer };
  const bare = await stripe.paymentIntents.create(asked);
  expect(bare).toMatchObject({ status: 'requires_payment_method', payment_method: null });
  expect(await refusal(stripe.paymentIntents.confirm(bare.id))).toMatchObject({
    code: 'parameter_missing',
  });
  const ready = await stripe.paymentIntents.create({ ...asked, payment_method });
  expect(ready.status).toBe('requires_confirmation');
  expect((await stripe.paymentIntents.confirm(ready.id)).status).toBe('succeeded');
  expect(await refusal(stripe.paymentIntents.confirm(ready.id, { payment_method }))).toBeDefined();
});

test('a bank that decides later has decided after five minutes', async () => {
  const intent = await present(await fresh(ASKS));
  expect((await answer(intent, 'wait')).searchParams.get('redirect_status')).toBe('pending');
  expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('processing');
  await gateway.tick();
  expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('processing');
  gateway.world.clock.nowMs += 5 * 60_000;
  await gateway.tick();
  expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('succeeded');
});

test('a bank that takes its time may be played to decide', async () => {
  const statuses: string[] = [];
  for (const decision of ['confirm', 'refuse']) {
    const intent = await present(await fresh(ASKS));
    await answer(intent, 'wait');
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify({ decision }) };
    const path = `/control/bank/${intent.id}`;
    expect((await gateway.world.app.request(path, init)).status).toBe(200);
    statuses.push((await stripe.paymentIntents.retrieve(intent.id)).status);
    expect((await gateway.world.app.request(path, init)).status).toBe(400);
  }
  expect(statuses).toEqual(['succeeded', 'requires_payment_method']);
});

test('the bank’s page says what it is about, and leads back once it is answered', async () => {
  const intent = await present(await fresh(ASKS));
  const { pathname } = new URL(intent.next_action?.redirect_to_url?.url ?? '');
  const open = async (path: string) => gateway.world.app.request(path);
  const page = await (await open(pathname)).text();
  expect(page).toContain('Confirm $24.00');
  expect(page).toContain('card ending in 3155');
  await answer(intent, 'confirm');
  const again = await open(pathname);
  expect(again.headers.get('location')).toContain('redirect_status=succeeded');
  expect(await (await open('/bank/closed')).text()).toContain('You left without an answer.');
  expect(await (await open('/bank/nothing')).text()).toContain('There is nothing more to confirm.');
});

test('a card is set up without a payment; a refusal leaves it unattached', async () => {
  const setUp = (who: { customer: string; payment_method: string }) =>
    stripe.setupIntents.create({ ...who, confirm: true, return_url: RETURN });
  const plain = await fresh('4242424242424242');
  expect(await setUp(plain)).toMatchObject({ status: 'succeeded', usage: 'off_session' });
  const who = await fresh(ASKS);
  const refused = await setUp(who);
  const back = await answer(refused, 'refuse');
  expect(back.searchParams.get('setup_intent')).toBe(refused.id);
  expect(await stripe.setupIntents.retrieve(refused.id)).toMatchObject({
    status: 'requires_payment_method',
    last_setup_error: { code: 'setup_intent_authentication_failure' },
  });
  expect((await stripe.paymentMethods.retrieve(who.payment_method)).customer).toBeNull();
  await answer(await setUp(who), 'confirm');
  expect((await stripe.paymentMethods.retrieve(who.payment_method)).customer).toBe(who.customer);
  expect((await gateway.pay(who)).status).toBe('succeeded');
  const declined = await fresh('4000000000000002');
  expect(await refusal(setUp(declined))).toMatchObject({ code: 'card_declined' });
});

test('the same key asks once: its answer and its attempt stay', async () => {
  const who = await fresh(ASKS);
  const params = { ...who, amount: 2400, currency: 'usd', confirm: true, return_url: RETURN };
  const first = await stripe.paymentIntents.create(params, { idempotencyKey: 'one' });
  await answer(first, 'confirm');
  const again = await stripe.paymentIntents.create(params, { idempotencyKey: 'one' });
  expect(again).toEqual(first);
  expect((await gateway.charges()).length).toBe(1);
});
