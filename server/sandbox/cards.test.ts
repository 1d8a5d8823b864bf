import { Stripe } from 'stripe';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { GatewayWorld } from './cards/stripe-client.fake.ts';
import { cardOf, createGatewayWorld, refusal } from './cards/stripe-client.fake.ts';

let gateway: GatewayWorld;

beforeEach(async () => {
  gateway = await createGatewayWorld();
});

afterEach(() => gateway.stop());

test.each([
  ['4242424242424242', 'visa'],
  ['5555 5555 5555 4444', 'mastercard'],
  ['6011111111111117', 'discover'],
  ['378282246310005', 'amex'],
])('card %s pays', async (number, brand) => {
  const saved = await gateway.savedCard(number);
  const method = await gateway.stripe.paymentMethods.retrieve(saved.payment_method);
  expect(method.card).toMatchObject({ brand, last4: number.slice(-4), exp_month: 12 });
  expect(method.customer).toBe(saved.customer);
  const intent = await gateway.pay(saved, 1700, 'key-1');
  expect(intent).toMatchObject({
    status: 'succeeded',
    amount: 1700,
    amount_received: 1700,
    metadata: { a: 'b' },
  });
  expect(await gateway.stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
    status: 'succeeded',
  });
  expect(await gateway.charges()).toEqual([
    {
      id: intent.id,
      amountCents: 1700,
      idempotencyKey: 'key-1',
      status: 'succeeded',
      refundedCents: 0,
      customer: saved.customer,
      at: '2026-11-20T12:00:00.000Z',
    },
  ]);
});

test.each([
  ['4000000000009995', 'insufficient_funds'],
  ['4000000000000341', 'generic_decline'],
])('card %s is saved, its charges fail with %s', async (number, declineCode) => {
  const saved = await gateway.savedCard(number);
  const error = await refusal(gateway.pay(saved, 1700, 'key-1'));
  expect(error).toBeInstanceOf(Stripe.errors.StripeCardError);
  expect(error).toMatchObject({
    statusCode: 402,
    code: 'card_declined',
    decline_code: declineCode,
  });
  expect(error.payment_intent).toMatchObject({ status: 'requires_payment_method' });
  expect(await gateway.charges()).toMatchObject([{ status: 'declined', amountCents: 1700 }]);
});

test('card 4000000000000002 is declined when it is saved', async () => {
  const error = await refusal(gateway.savedCard('4000000000000002'));
  expect(error).toMatchObject({
    statusCode: 402,
    code: 'card_declined',
    decline_code: 'generic_decline',
  });
  expect(await gateway.charges()).toEqual([]);
});

test.each([
  ['4111111111111111', {}, 'incorrect_number'],
  ['4242424242424242', { exp_year: 2025 }, 'invalid_expiry_year'],
  ['4242424242424242', { exp_year: 2026, exp_month: 10 }, 'invalid_expiry_month'],
  ['4242424242424242', { exp_month: 13 }, 'invalid_expiry_month'],
  ['4242424242424242', { cvc: '1' }, 'invalid_cvc'],
])('card %s with %o is refused: %s', async (number, change, code) => {
  const error = await refusal(gateway.stripe.paymentMethods.create(cardOf(number, change)));
  expect(error).toBeInstanceOf(Stripe.errors.StripeCardError);
  expect(error).toMatchObject({ statusCode: 402, code });
});

test('a saved card that has expired since is declined', async () => {
  const saved = await gateway.savedCard('4242424242424242');
  gateway.world.clock.nowMs = Date.parse('2031-01-01T00:00:00Z');
  expect(await refusal(gateway.pay(saved))).toMatchObject({
    statusCode: 402,
    code: 'expired_card',
  });
});

test('refunds may be partial and never exceed what was paid', async () => {
  const intent = await gateway.pay(await gateway.savedCard('4242424242424242'), 1700);
  const part = { payment_intent: intent.id, amount: 700 };
  const first = await gateway.stripe.refunds.create(part, { idempotencyKey: 'refund-1' });
  expect(first).toMatchObject({ status: 'succeeded', amount: 700, payment_intent: intent.id });
  expect(await gateway.stripe.refunds.create(part, { idempotencyKey: 'refund-1' })).toEqual(first);
  const tooMuch = gateway.stripe.refunds.create({ payment_intent: intent.id, amount: 1001 });
  expect(await refusal(tooMuch)).toMatchObject({ statusCode: 400 });
  expect(await gateway.stripe.refunds.create({ payment_intent: intent.id })).toMatchObject({
    amount: 1000,
  });
  expect(await refusal(gateway.stripe.refunds.create({ payment_intent: intent.id }))).toMatchObject(
    {
      code: 'charge_already_refunded',
    },
  );
  expect(await gateway.charges()).toMatchObject([{ amountCents: 1700, refundedCents: 1700 }]);
  expect((await gateway.stripe.refunds.list({ payment_intent: intent.id })).data).toHaveLength(2);
});

test('what was declined cannot be refunded', async () => {
  const error = await refusal(gateway.pay(await gateway.savedCard('4000000000009995')));
  const refund = gateway.stripe.refunds.create({ payment_intent: error.payment_intent?.id ?? '' });
  expect(await refusal(refund)).toMatchObject({ statusCode: 400 });
});

test('a customer’s payments are listed newest first, page by page', async () => {
  const saved = await gateway.savedCard('4242424242424242');
  await gateway.pay(await gateway.savedCard('4242424242424242'));
  const ids: string[] = [];
  for (let payment = 0; payment < 5; payment += 1) ids.unshift((await gateway.pay(saved)).id);
  const { customer } = saved;
  const listed: string[] = [];
  for await (const { id } of gateway.stripe.paymentIntents.list({ customer, limit: 2 }))
    listed.push(id);
  expect(listed).toEqual(ids);
});

test('unknown ids, another customer’s card and wrong parameters are refused', async () => {
  const saved = await gateway.savedCard('4242424242424242');
  const other = await gateway.savedCard('4242424242424242');
  expect(await refusal(gateway.stripe.paymentIntents.retrieve('pi_none'))).toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
  });
  const foreign = { customer: saved.customer, payment_method: other.payment_method };
  expect(await refusal(gateway.pay(foreign))).toMatchObject({
    statusCode: 400,
    param: 'payment_method',
  });
  const nobody = { ...saved, customer: 'cus_none' };
  expect(await refusal(gateway.pay(nobody))).toMatchObject({ code: 'resource_missing' });
  expect(await refusal(gateway.pay(saved, 17.5))).toMatchObject({
    statusCode: 400,
    param: 'amount',
  });
  expect(await refusal(gateway.stripe.products.list())).toMatchObject({ statusCode: 404 });
  expect(await gateway.charges()).toEqual([]);
});

test('anything but a test key is refused', async () => {
  for (const key of ['sk_live_sandbox', 'pk_test_sandbox']) {
    expect(await refusal(gateway.client(key).customers.create({}))).toMatchObject({
      statusCode: 401,
    });
  }
});

test('neither card numbers nor security codes are written down', async () => {
  const cvc = '739';
  await gateway.stripe.paymentMethods.create(cardOf('4242424242424242', { cvc }));
  await refusal(gateway.stripe.paymentMethods.create(cardOf('4929000000006', { cvc })));
  const tables = gateway.world.ctx.db
    .prepare("select name from sqlite_master where type = 'table'")
    .all();
  for (const { name } of tables) {
    const rows = gateway.world.ctx.db.prepare(`select * from ${String(name)}`).all();
    const text = JSON.stringify(rows);
    for (const secret of ['4242424242424242', '4929000000006', `"${cvc}"`]) {
      expect(text).not.toContain(secret);
    }
  }
});

test('a detached card is listed no more, pays no more, and can’t be detached again', async () => {
  const saved = await gateway.savedCard('4242424242424242');
  const list = () => gateway.stripe.customers.listPaymentMethods(saved.customer);
  expect((await list()).data).toHaveLength(1);
  const { customer } = await gateway.stripe.paymentMethods.detach(saved.payment_method);
  expect(customer).toBeNull();
  expect((await list()).data).toEqual([]);
  expect(await refusal(gateway.pay(saved, 1700, 'key-1'))).toMatchObject({ statusCode: 400 });
  const again = gateway.stripe.paymentMethods.detach(saved.payment_method);
  expect(await refusal(again)).toMatchObject({ statusCode: 400 });
  const nobody = gateway.stripe.customers.listPaymentMethods('cus_nobody');
  expect(await refusal(nobody)).toMatchObject({ statusCode: 404, code: 'resource_missing' });
});
