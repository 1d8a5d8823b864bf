import { Stripe } from 'stripe';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { GatewayWorld } from './stripe-client.fake.ts';
import { createGatewayWorld, refusal } from './stripe-client.fake.ts';

let gateway: GatewayWorld;

beforeEach(async () => {
  gateway = await createGatewayWorld();
});

afterEach(() => gateway.stop());

test('card 4000000000000119 is charged without an answer, and its key sorts it out', async () => {
  const saved = await gateway.savedCard('4000000000000119');
  const impatient = gateway.client('sk_test_sandbox', 1000);
  const error = await refusal(gateway.pay(saved, 1700, 'key-1', impatient));
  expect(error).toBeInstanceOf(Stripe.errors.StripeConnectionError);
  await expect
    .poll(() => gateway.charges())
    .toMatchObject([{ status: 'succeeded', idempotencyKey: 'key-1' }]);
  const intent = await gateway.pay(saved, 1700, 'key-1');
  expect(intent).toMatchObject({ status: 'succeeded', amount: 1700 });
  expect(intent.lastResponse.headers['idempotent-replayed']).toBe('true');
  expect(await gateway.charges()).toHaveLength(1);
});

test('the same key replays success and decline alike, and charges once', async () => {
  const good = await gateway.savedCard('4242424242424242');
  const first = await gateway.pay(good, 1700, 'key-1');
  const again = await gateway.pay(good, 1700, 'key-1');
  expect(again).toEqual(first);
  expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
  expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined();

  const poor = await gateway.savedCard('4000000000009995');
  const one = await refusal(gateway.pay(poor, 500, 'key-2'));
  const two = await refusal(gateway.pay(poor, 500, 'key-2'));
  expect(two.payment_intent?.id).toBe(one.payment_intent?.id);
  expect(two.headers?.['idempotent-replayed']).toBe('true');
  expect(await gateway.charges()).toHaveLength(2);
});

test('the same key with other parameters, or for another call, is refused', async () => {
  const saved = await gateway.savedCard('4242424242424242');
  await gateway.pay(saved, 1700, 'key-1');
  const other = await refusal(gateway.pay(saved, 1800, 'key-1'));
  expect(other).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
  expect(other).toMatchObject({ statusCode: 400, rawType: 'idempotency_error' });
  const elsewhere = gateway.stripe.customers.create(
    { email: 'a@b.c' },
    { idempotencyKey: 'key-1' },
  );
  expect(await refusal(elsewhere)).toMatchObject({ rawType: 'idempotency_error' });
  expect(await gateway.charges()).toHaveLength(1);
});

test('a duplicate under way is refused and the first one goes on', async () => {
  const saved = await gateway.savedCard('4242424242424242');
  gateway.world.ctx.faults.set('cards', 'slow', { delayMs: 1000 });
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => gateway.pay(saved, 1700, 'key-1')));
  expect(outcomes.map(({ status }) => status).sort()).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
  ]);
  const reasons = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  expect(reasons[0]).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
  gateway.world.ctx.faults.clear();
  expect(await gateway.pay(saved, 1700, 'key-1')).toMatchObject({ status: 'succeeded' });
  expect(await gateway.charges()).toHaveLength(1);
});

test('a key is forgotten after a day; a refused request never took it', async () => {
  const saved = await gateway.savedCard('4242424242424242');
  expect(await refusal(gateway.pay(saved, 20, 'key-1'))).toMatchObject({
    code: 'amount_too_small',
  });
  await gateway.pay(saved, 1700, 'key-1');
  gateway.world.clock.nowMs += 24 * 3_600_000 - 1;
  await gateway.pay(saved, 1700, 'key-1');
  expect(await gateway.charges()).toHaveLength(1);
  gateway.world.clock.nowMs += 2;
  await gateway.pay(saved, 1700, 'key-1');
  expect(await gateway.charges()).toHaveLength(2);
});

test('a gateway that fails before its work leaves nothing, one that fails after it keeps the charge', async () => {
  const saved = await gateway.savedCard('4242424242424242');
  for (const scenario of ['down', 'error'] as const) {
    gateway.world.ctx.faults.set('cards', scenario, { times: 1 });
    expect(await refusal(gateway.pay(saved, 1700, 'key-1'))).toBeInstanceOf(
      Stripe.errors.StripeAPIError,
    );
  }
  expect(await gateway.charges()).toEqual([]);
  gateway.world.ctx.faults.set('cards', 'error_after', { times: 1 });
  expect(await refusal(gateway.pay(saved, 1700, 'key-1'))).toMatchObject({ statusCode: 500 });
  gateway.world.ctx.faults.set('cards', 'nonsense', { times: 1 });
  expect(await refusal(gateway.pay(saved, 1700, 'key-1'))).toMatchObject({
    message: /Invalid JSON/,
  });
  gateway.world.ctx.faults.set('cards', 'reset_after', { times: 2 });
  const broken = gateway.pay(saved, 1700, 'key-1');
  expect(await refusal(broken)).toBeInstanceOf(Stripe.errors.StripeConnectionError);
  expect(await gateway.pay(saved, 1700, 'key-1')).toMatchObject({ status: 'succeeded' });
  expect(await gateway.charges()).toHaveLength(1);
});

test('a broken answer can stick to its key; only a look-up finds the charge', async () => {
  const saved = await gateway.savedCard('4242424242424242');
  gateway.world.ctx.faults.set('cards', 'error_after', { times: 1, sticky: true });
  expect(await refusal(gateway.pay(saved, 1700, 'key-1'))).toMatchObject({ statusCode: 500 });
  expect(await refusal(gateway.pay(saved, 1700, 'key-1'))).toMatchObject({ statusCode: 500 });
  const { data } = await gateway.stripe.paymentIntents.list({ customer: saved.customer });
  expect(data).toMatchObject([{ status: 'succeeded', metadata: { a: 'b' } }]);
});

test('the same API answers under /stripe, with the same keys', async () => {
  const send = (path: string) =>
    gateway.world.app.request(path, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_sandbox', 'idempotency-key': 'key-1' },
      body: 'email=mia@example.com',
    });
  const first = await send('/v1/customers');
  const again = await send('/stripe/v1/customers');
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(await again.json()).toEqual(await first.json());
});
