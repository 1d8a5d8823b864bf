import type { Stripe } from 'stripe';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { GatewayWorld } from './stripe-client.fake.ts';
import { cardOf, createGatewayWorld, refusal } from './stripe-client.fake.ts';

let gateway: GatewayWorld;
let stripe: Stripe;
let browser: Stripe;

beforeEach(async () => {
  gateway = await createGatewayWorld();
  stripe = gateway.stripe;
  browser = gateway.client('pk_test_sandbox');
});

afterEach(() => gateway.stop());

const customerId = async (): Promise<string> => (await stripe.customers.create({})).id;
const charge = (payment_method: string, customer: string) =>
  stripe.paymentIntents.create({
    payment_method,
    customer,
    amount: 1700,
    currency: 'usd',
    confirm: true,
  });

test('a publishable key makes cards; the server reads all but the number', async () => {
  const address = { line1: '1 Main St', city: 'Austin', postal_code: '78701', country: 'US' };
  const billing = { name: 'Mia Cole', phone: '+1', address };
  const params = { ...cardOf('4242424242424242'), billing_details: billing };
  const made = await browser.paymentMethods.create(params);
  const read = await stripe.paymentMethods.retrieve(made.id);
  expect(read).toMatchObject({
    customer: null,
    card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2030 },
    billing_details: { name: 'Mia Cole', address: { ...address, line2: null, state: null } },
  });
  expect(JSON.stringify(read)).not.toContain('4242424242424242');
});

test('a publishable key does nothing else', async () => {
  const calls = [
    browser.customers.create({}),
    browser.paymentIntents.create({ amount: 100, currency: 'usd' }),
    browser.paymentIntents.list({}),
    browser.refunds.list({}),
    browser.paymentMethods.retrieve('pm_x'),
  ];
  for (const call of calls) expect(await refusal(call)).toMatchObject({ statusCode: 401 });
});

test('with its secret a browser reads and confirms an intent, and never without its cardholder', async () => {
  const customer = await customerId();
  const card = await browser.paymentMethods.create(cardOf('4000002500003155'));
  const metadata = { chargeId: 'ours' };
  const params = { amount: 1700, currency: 'usd', customer, payment_method: card.id, metadata };
  const { id, client_secret } = await stripe.paymentIntents.create(params);
  const secret = { client_secret: client_secret ?? '' };
  const read = await browser.paymentIntents.retrieve(id, secret);
  expect(read).toMatchObject({ id, amount: 1700, status: 'requires_confirmation' });
  expect(read.metadata).toBeUndefined();
  for (const wrong of [{}, { client_secret: `${client_secret}x` }]) {
    expect(await refusal(browser.paymentIntents.retrieve(id, wrong))).toMatchObject({
      statusCode: 400,
      param: 'client_secret',
    });
  }
  const confirmed = await browser.paymentIntents.confirm(id, { ...secret, off_session: true });
  expect(confirmed).toMatchObject({
    status: 'requires_action',
    next_action: { type: 'use_stripe_sdk' },
  });
});

test('what another account made doesn’t exist', async () => {
  const other = gateway.client('sk_test_other');
  const theirs = await other.customers.create({});
  const card = await gateway
    .client('pk_test_other')
    .paymentMethods.create(cardOf('4242424242424242'));
  const intent = await other.paymentIntents.create({
    amount: 1700,
    currency: 'usd',
    confirm: true,
    customer: theirs.id,
    payment_method: card.id,
  });
  const missing = { statusCode: 404, code: 'resource_missing' };
  expect(await refusal(stripe.paymentMethods.retrieve(card.id))).toMatchObject(missing);
  expect(await refusal(stripe.paymentIntents.retrieve(intent.id))).toMatchObject(missing);
  expect(await refusal(stripe.paymentIntents.cancel(intent.id))).toMatchObject(missing);
  expect(await refusal(charge(card.id, await customerId()))).toMatchObject(missing);
  expect((await stripe.paymentIntents.list({})).data).toEqual([]);
  expect((await other.paymentIntents.list({})).data).toHaveLength(1);
});

test('a card nobody attached pays once', async () => {
  const customer = await customerId();
  const card = await browser.paymentMethods.create(cardOf('4242424242424242'));
  expect((await charge(card.id, customer)).status).toBe('succeeded');
  const again = { statusCode: 400, param: 'payment_method' };
  expect(await refusal(charge(card.id, customer))).toMatchObject(again);
  const attach = stripe.paymentMethods.attach(card.id, { customer });
  expect(await refusal(attach)).toMatchObject(again);
});

test('a card is attached to one customer and pays for no other', async () => {
  const [mia, leo] = [await customerId(), await customerId()];
  const card = await browser.paymentMethods.create(cardOf('4242424242424242'));
  await stripe.paymentMethods.attach(card.id, { customer: mia });
  const theft = stripe.paymentMethods.attach(card.id, { customer: leo });
  expect(await refusal(theft)).toMatchObject({ statusCode: 400 });
  expect(await refusal(charge(card.id, leo))).toMatchObject({ statusCode: 400 });
  expect((await charge(card.id, mia)).status).toBe('succeeded');
});

test('a card nobody attached is forgotten after a day', async () => {
  const customer = await customerId();
  const card = await browser.paymentMethods.create(cardOf('4242424242424242'));
  gateway.world.clock.nowMs += 24 * 3_600_000 + 1000;
  expect(await refusal(charge(card.id, customer))).toMatchObject({ code: 'resource_missing' });
});

test('banks are played: of one customer or one card, as often as told', async () => {
  const mia = await gateway.savedCard('4242424242424242');
  const leo = await gateway.savedCard('5555555555554444');
  const { faults } = gateway.world.ctx;
  faults.set('cards', 'bank_asks', { customer: mia.customer, times: 1 });
  faults.set('cards', 'bank_declines', { last4: '4444', decline: 'lost_card' });
  expect(await refusal(gateway.pay(mia))).toMatchObject({ code: 'authentication_required' });
  expect((await gateway.pay(mia)).status).toBe('succeeded');
  expect(await refusal(gateway.pay(leo))).toMatchObject({ decline_code: 'lost_card' });
});

test('faults hit the account, customer or card they are aimed at', async () => {
  const mia = await gateway.savedCard('4242424242424242');
  const leo = await gateway.savedCard('5555555555554444');
  const { faults } = gateway.world.ctx;
  const failing = { statusCode: 500 };
  faults.set('cards', 'error', { customer: mia.customer });
  expect(await refusal(gateway.pay(mia))).toMatchObject(failing);
  const paid = await gateway.pay(leo);
  faults.set('cards', 'error', { last4: '4444' });
  expect(await refusal(stripe.paymentIntents.retrieve(paid.id))).toMatchObject(failing);
  expect((await gateway.pay(mia)).status).toBe('succeeded');
  faults.set('cards', 'error', { account: 'other' });
  expect((await gateway.pay(leo)).status).toBe('succeeded');
  expect(await refusal(gateway.client('sk_test_other').customers.create({}))).toMatchObject(
    failing,
  );
});
