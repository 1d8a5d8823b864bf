import type { Stripe } from 'stripe';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { GatewayWorld } from '../stripe-client.fake.ts';
import { createGatewayWorld, refusal } from '../stripe-client.fake.ts';

const SUCCESS = 'http://localhost:3000/payment-return?session={CHECKOUT_SESSION_ID}';
const NOTE = 'For the account of a•••@example.com.';
const CANCEL = 'http://localhost:3000/my-billing';

let gateway: GatewayWorld;
let stripe: Stripe;

beforeEach(async () => {
  gateway = await createGatewayWorld();
  stripe = gateway.stripe;
});

afterEach(() => gateway.stop());

const urls = { success_url: SUCCESS, cancel_url: CANCEL };

async function setUpSession(): Promise<Stripe.Checkout.Session> {
  const { id: customer } = await stripe.customers.create({});
  const metadata = { paymentId: 'one' };
  const custom_text = { submit: { message: NOTE } };
  const session = { mode: 'setup', customer, ...urls, metadata, custom_text } as const;
  return stripe.checkout.sessions.create(session);
}

const paySession = (customer: string): Promise<Stripe.Checkout.Session> => {
  const price_data = { currency: 'usd', unit_amount: 1200, product_data: { name: 'Growth' } };
  return stripe.checkout.sessions.create({
    mode: 'payment',
    customer,
    ...urls,
    line_items: [{ price_data, quantity: 2 }],
    payment_intent_data: { setup_future_usage: 'off_session', metadata: { chargeId: 'ours' } },
  });
};

/** Submits the page's form; says where it leads to, or what it says. */
async function submit(url: string | null, number: string): Promise<{ to: string; says: string }> {
  const card = { number, expiry: '12 / 30', code: '123', name: 'Mia Cole' };
  const answer = await gateway.world.app.request(new URL(url ?? '').pathname, {
    method: 'POST',
    body: new URLSearchParams(card),
  });
  const says = /role="alert">([^<]*)/.exec(await answer.text())?.[1] ?? '';
  return { to: answer.headers.get('location') ?? '', says };
}

/** Answers on the bank's page and follows it back. */
async function answerBank(address: string, decision: string): Promise<string> {
  const answer = await gateway.world.app.request(new URL(address).pathname, {
    method: 'POST',
    body: new URLSearchParams({ decision }),
  });
  const back = new URL(answer.headers.get('location') ?? '');
  const page = await gateway.world.app.request(`${back.pathname}${back.search}`);
  return page.headers.get('location') ?? (await page.text());
}

test('a card is saved on the gateway’s own page', async () => {
  const session = await setUpSession();
  expect(session).toMatchObject({
    status: 'open',
    mode: 'setup',
    payment_status: 'no_payment_required',
    setup_intent: expect.stringMatching(/^seti_/),
    metadata: { paymentId: 'one' },
    custom_text: { submit: { message: NOTE } },
  });
  const page = await (await gateway.world.app.request(new URL(session.url ?? '').pathname)).text();
  expect(page).toContain('Save your card');
  expect(page).toContain(NOTE);
  expect(page).toContain(CANCEL);
  const { to } = await submit(session.url, '4242424242424242');
  expect(to).toBe(SUCCESS.replace('{CHECKOUT_SESSION_ID}', session.id));
  const after = await stripe.checkout.sessions.retrieve(session.id, { expand: ['setup_intent'] });
  expect(after).toMatchObject({ status: 'complete', url: null });
  const setUp = after.setup_intent as Stripe.SetupIntent;
  const method = await stripe.paymentMethods.retrieve(setUp.payment_method as string);
  expect(method).toMatchObject({
    customer: session.customer,
    billing_details: { name: 'Mia Cole' },
  });
});

test('a payment page takes the sum of its lines, asks the bank, and can be tried again', async () => {
  const { id: customer } = await stripe.customers.create({});
  const session = await paySession(customer);
  expect(session).toMatchObject({
    amount_total: 2400,
    payment_status: 'unpaid',
    payment_intent: null,
  });
  expect(await submit(session.url, '4000000000000002')).toEqual({
    to: '',
    says: 'Your card was declined.',
  });
  const refused = await submit(session.url, '4000002760003184');
  expect(await answerBank(refused.to, 'refuse')).toContain('Your bank didn’t agree');
  const asked = await submit(session.url, '4000002760003184');
  expect(await answerBank(asked.to, 'confirm')).toContain('/payment-return?session=');
  const params = { expand: ['payment_intent'] };
  expect(await stripe.checkout.sessions.retrieve(session.id, params)).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    payment_intent: { status: 'succeeded', amount: 2400, metadata: { chargeId: 'ours' }, customer },
  });
  const charges = await gateway.charges();
  expect(charges).toMatchObject([{ status: 'succeeded', amountCents: 2400 }]);
  expect((await submit(session.url, '4242424242424242')).to).toBe(
    new URL(session.url ?? '').pathname,
  );
});

test('a bank that decides later completes the session by itself', async () => {
  const session = await setUpSession();
  const asked = await submit(session.url, '4000002500003155');
  expect(await answerBank(asked.to, 'wait')).toContain('Your bank is still deciding');
  gateway.world.clock.nowMs += 5 * 60_000;
  await gateway.tick();
  expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('complete');
});

test('a page that asks for the address takes no card without it, and keeps what was typed', async () => {
  const { url } = await stripe.checkout.sessions.create({
    mode: 'setup',
    ...urls,
    billing_address_collection: 'required',
  });
  const page = new URL(url ?? '').pathname;
  const typed = { name: 'Mia Cole', line1: '1 "Main" St', postal_code: '10001', country: 'FR' };
  const card = { number: '4242424242424242', expiry: '12 / 30', code: '123' };
  const send = (city: string) =>
    gateway.world.app.request(page, {
      method: 'POST',
      body: new URLSearchParams({ ...card, ...typed, city }),
    });
  const refused = await (await send('')).text();
  expect(refused).toContain('Please enter your billing address.');
  expect(refused).toContain('value="1 &quot;Main&quot; St"');
  expect(refused).toMatch(/<option value="FR" selected>/);
  expect(refused).not.toContain(card.number);
  expect((await send('Paris')).status).toBe(303);
});

test('an expired session saves nothing, and its intent is its own', async () => {
  const session = await setUpSession();
  const setUp = session.setup_intent as string;
  expect(await refusal(stripe.setupIntents.cancel(setUp))).toMatchObject({ statusCode: 400 });
  const confirm = stripe.setupIntents.confirm(setUp, { payment_method: 'pm_card_visa' });
  expect(await refusal(confirm)).toMatchObject({ statusCode: 400 });
  const expired = await stripe.checkout.sessions.expire(session.id);
  expect(expired).toMatchObject({ status: 'expired', url: null });
  expect((await stripe.setupIntents.retrieve(setUp)).status).toBe('canceled');
  expect(await refusal(stripe.checkout.sessions.expire(session.id))).toMatchObject({
    statusCode: 400,
  });
  expect((await submit(session.url, '4242424242424242')).to).toBe(
    new URL(session.url ?? '').pathname,
  );
  const page = await gateway.world.app.request(new URL(session.url ?? '').pathname);
  expect(await page.text()).toContain('This page is over.');
});

test('a session ends by itself after a day', async () => {
  const { id } = await setUpSession();
  gateway.world.clock.nowMs += 24 * 3_600_000;
  await gateway.tick();
  expect((await stripe.checkout.sessions.retrieve(id)).status).toBe('expired');
});

test('sessions without an address to go on to, or without a sum, are refused', async () => {
  const { sessions } = stripe.checkout;
  expect(await refusal(sessions.create({ mode: 'setup' }))).toMatchObject({ param: 'success_url' });
  expect(await refusal(sessions.create({ mode: 'payment', ...urls }))).toMatchObject({
    param: 'line_items',
  });
  const wrong = { ...urls, success_url: 'nowhere' };
  expect(await refusal(sessions.create({ mode: 'setup', ...wrong }))).toMatchObject({
    code: 'url_invalid',
  });
});

test('a page is open for 30 minutes at least and a day at most', async () => {
  const endsIn = (minutes: number) =>
    stripe.checkout.sessions.create({
      mode: 'setup',
      ...urls,
      expires_at: Math.floor(gateway.world.clock.nowMs / 1000) + minutes * 60,
    });
  expect(await endsIn(30)).toMatchObject({ status: 'open' });
  expect(await endsIn(24 * 60)).toMatchObject({ status: 'open' });
  for (const minutes of [29, 24 * 60 + 1]) {
    expect(await refusal(endsIn(minutes))).toMatchObject({ statusCode: 400, param: 'expires_at' });
  }
});
