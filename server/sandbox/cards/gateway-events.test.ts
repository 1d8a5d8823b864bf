import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Stripe } from 'stripe';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { GatewayWorld } from './stripe-client.fake.ts';
import { createGatewayWorld, refusal } from './stripe-client.fake.ts';

const SECRET = 'whsec_sandbox';

/** Whoever listens: keeps what it was sent, and answers as told. */
interface Listener {
  url: string;
  heard: Array<{ body: string; signature: string; path: string }>;
  status: number;
  stop(): Promise<void>;
}

let listener: Listener;
let gateway: GatewayWorld;
let stripe: Stripe;

beforeEach(async () => {
  listener = await listen();
  gateway = await createGatewayWorld({ eventsUrl: listener.url });
  stripe = gateway.stripe;
});

afterEach(async () => {
  await gateway.stop();
  await listener.stop();
});

async function listen(): Promise<Listener> {
  const server: Server = createServer((asked, answer) => {
    const chunks: Buffer[] = [];
    asked.on('data', (chunk: Buffer) => chunks.push(chunk));
    asked.on('end', () => {
      const signature = String(asked.headers['stripe-signature']);
      const body = Buffer.concat(chunks).toString();
      listening.heard.push({ body, signature, path: asked.url ?? '' });
      answer.writeHead(listening.status).end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const listening: Listener = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard: [],
    status: 200,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return listening;
}

/** The events heard so far, after what is due was sent. */
async function heard(): Promise<Stripe.Event[]> {
  await gateway.tick();
  return listener.heard.map(({ body }) => JSON.parse(body) as Stripe.Event);
}

const types = async (): Promise<string[]> => (await heard()).map(({ type }) => type);

const control = async (path: string, body: object): Promise<{ id: string }> => {
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await gateway.world.app.request(`/control/${path}`, init);
  return (await answer.json()) as { id: string };
};

const verify = ({ body, signature }: { body: string; signature: string }): unknown =>
  Stripe.webhooks.constructEvent(
    body,
    signature,
    SECRET,
    300,
    undefined,
    gateway.world.clock.nowMs,
  );

test('a payment is told of in an event that the gateway’s package accepts', async () => {
  const intent = await gateway.pay(await gateway.savedCard('4242424242424242'));
  const [event] = await heard();
  expect(event).toMatchObject({
    object: 'event',
    type: 'payment_intent.succeeded',
    livemode: false,
    data: { object: { id: intent.id, object: 'payment_intent', status: 'succeeded' } },
  });
  const [message] = listener.heard;
  expect(message?.path).toBe('/stripe/events');
  expect(verify(message ?? { body: '', signature: '' })).toEqual(event);
  expect(await heard()).toHaveLength(1);
  expect(await stripe.events.retrieve(event?.id ?? '')).toMatchObject({ pending_webhooks: 0 });
});

test('each way an intent goes has its event', async () => {
  const saved = await gateway.savedCard('4000002500003155');
  await refusal(gateway.pay(saved));
  const asked = { ...saved, amount: 1700, currency: 'usd', confirm: true };
  const [one, two] = [
    await stripe.paymentIntents.create(asked),
    await stripe.paymentIntents.create(asked),
  ];
  await control(`bank/${one.id}`, { decision: 'confirm' });
  await stripe.paymentIntents.cancel(two.id);
  const setUp = await stripe.setupIntents.create({ ...saved, confirm: true });
  await control(`bank/${setUp.id}`, { decision: 'refuse' });
  const { id } = await stripe.refunds.create({ payment_intent: one.id, amount: 300 });
  expect(id).toBeDefined();
  expect(await types()).toEqual([
    'payment_intent.payment_failed',
    'payment_intent.requires_action',
    'payment_intent.requires_action',
    'payment_intent.succeeded',
    'payment_intent.canceled',
    'setup_intent.requires_action',
    'setup_intent.setup_failed',
    'charge.refunded',
  ]);
  expect((await heard()).at(-1)?.data.object).toMatchObject({
    object: 'charge',
    payment_intent: one.id,
    amount_refunded: 300,
    refunded: false,
  });
});

test('card 0259 is disputed once it has paid; the product answers, the bank decides', async () => {
  const intent = await gateway.pay(await gateway.savedCard('4000000000000259'));
  const { data } = await stripe.disputes.list({ payment_intent: intent.id });
  expect(data).toMatchObject([{ status: 'needs_response', amount: 1700, reason: 'fraudulent' }]);
  const id = data[0]?.id ?? '';
  const evidence = { customer_name: 'Mia Cole' };
  const answered = await stripe.disputes.update(id, { evidence, submit: true });
  expect(answered).toMatchObject({ status: 'under_review', evidence });
  await control(`disputes/${id}`, { status: 'won' });
  const closed = stripe.disputes.update(id, { evidence });
  expect(await refusal(closed)).toMatchObject({ statusCode: 400 });
  const dispute = 'charge.dispute.';
  expect(await types()).toEqual([
    'payment_intent.succeeded',
    `${dispute}created`,
    `${dispute}funds_withdrawn`,
    `${dispute}updated`,
    `${dispute}updated`,
    `${dispute}funds_reinstated`,
    `${dispute}closed`,
  ]);
  const read = await stripe.disputes.retrieve(id, { expand: ['charge'] });
  expect(read).toMatchObject({ status: 'won', charge: { payment_intent: intent.id, paid: true } });
});

test('an inquiry moves no money; a lost dispute keeps it', async () => {
  const { id: charge } = await gateway.pay(await gateway.savedCard('4242424242424242'));
  const { id } = await control('disputes', { charge, status: 'warning_needs_response' });
  await stripe.disputes.close(id);
  expect((await types()).slice(1)).toEqual([
    'charge.dispute.created',
    'charge.dispute.updated',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.closed',
  ]);
});

test('a bank sends a new card: the saved one has its digits, and the event says what it had', async () => {
  const saved = await gateway.savedCard('4242424242424242');
  await control(`cards/${saved.payment_method}/renew`, {
    last4: '4343',
    expMonth: 3,
    expYear: 2034,
  });
  const [event] = await heard();
  expect(event).toMatchObject({
    type: 'payment_method.automatically_updated',
    data: {
      object: { id: saved.payment_method, card: { last4: '4343', exp_month: 3, exp_year: 2034 } },
      previous_attributes: { card: { last4: '4242', exp_month: 12, exp_year: 2030 } },
    },
  });
  expect((await gateway.pay(saved)).status).toBe('succeeded');
});

test('what isn’t answered with 2xx is sent again, ever more seldom, for three days', async () => {
  const { clock } = gateway.world;
  listener.status = 500;
  await gateway.pay(await gateway.savedCard('4242424242424242'));
  const sentAt: number[] = [];
  const begin = clock.nowMs;
  for (let second = 0; second < 20; second += 1) {
    const before = listener.heard.length;
    await gateway.tick();
    if (listener.heard.length > before) sentAt.push((clock.nowMs - begin) / 1000);
    clock.nowMs += 1000;
  }
  expect(sentAt).toEqual([0, 1, 3, 7, 15]);
  clock.nowMs += 3 * 24 * 3_600_000;
  await gateway.tick();
  clock.nowMs += 24 * 3_600_000;
  await gateway.tick();
  expect(listener.heard).toHaveLength(6);
  expect(new Set(listener.heard.map(({ body }) => body)).size).toBe(1);
});

test('a listener that was away hears of it when it is back', async () => {
  await listener.stop();
  await gateway.pay(await gateway.savedCard('4242424242424242'));
  await gateway.tick();
  const { port } = new URL(listener.url);
  const answer = await gateway.world.app.request('/control/events');
  expect(await answer.json()).toMatchObject([{ state: 'waiting', lastAnswer: 'no answer' }]);
  const heardAgain: string[] = [];
  const server = createServer((asked, reply) => {
    heardAgain.push(asked.url ?? '');
    asked.resume();
    reply.end();
  });
  await new Promise<void>((resolve) => void server.listen(Number(port), '127.0.0.1', resolve));
  gateway.world.clock.nowMs += 1000;
  await gateway.tick();
  server.closeAllConnections();
  await new Promise((resolve) => void server.close(resolve));
  expect(heardAgain).toEqual(['/stripe/events']);
});

test('events are lost, doubled, late, disordered and forged as faults say', async () => {
  const { clock, ctx } = gateway.world;
  const play = (scenario: string, options: object = {}): void =>
    ctx.faults.set('cards', scenario, { times: 1, ...options });
  const saved = await gateway.savedCard('4242424242424242');
  const other = await gateway.savedCard('5555555555554444');
  play('events_lost', { customer: saved.customer });
  await gateway.pay(other);
  await gateway.pay(saved);
  expect(await heard()).toHaveLength(1);
  play('events_twice', { type: 'payment_intent.succeeded' });
  await gateway.pay(saved);
  expect(await heard()).toHaveLength(2);
  clock.nowMs += 1500;
  const twice = await heard();
  expect(twice).toHaveLength(3);
  expect(twice[2]).toEqual(twice[1]);
  play('events_late', { delayMs: 60_000 });
  await gateway.pay(saved, 1111);
  await gateway.pay(saved, 2222);
  clock.nowMs += 60_000;
  await heard();
  const amounts = (await heard())
    .slice(3)
    .map(({ data }) => (data.object as { amount: number }).amount);
  expect(amounts).toEqual([2222, 1111]);
  for (const trick of ['events_forged', 'events_old']) {
    play(trick);
    await gateway.pay(saved);
    await gateway.tick();
    const last = listener.heard.at(-1) ?? { body: '', signature: '' };
    expect(() => verify(last)).toThrow(Stripe.errors.StripeSignatureVerificationError);
  }
});
