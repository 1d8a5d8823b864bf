import { expect, test } from 'vitest';
import { openScriptedStripe as open } from '#test/money/scripted-stripe.ts';
import { isSilent, json, NONSENSE, type Script } from '../http/scripted-server.fake.ts';

const CHARGE = {
  key: 'charge-key-1',
  chargeId: 'charge-1',
  customerId: 'cus_1',
  paymentMethodId: 'pm_1',
  amountCents: 1700,
  description: 'Plan 2',
  presence: { kind: 'absent' } as const,
};
const LOOK_UP = {
  customerId: 'cus_1',
  chargeId: 'charge-1',
  amountCents: 1700,
  paymentMethodId: 'pm_1',
};
const REFUND = {
  key: 'refund-key-1',
  refundId: 'refund-1',
  gatewayChargeId: 'pi_1',
  amountCents: 500,
};
const intent = (more: object): object => ({
  id: 'pi_1',
  object: 'payment_intent',
  status: 'succeeded',
  amount: 1700,
  currency: 'usd',
  customer: 'cus_1',
  metadata: { chargeId: 'charge-1' },
  ...more,
});
const stripeError = (status: number, error: object): Script => json({ error }, status);

test('a charge goes out as one confirmed off-session intent with key and id', async () => {
  const { server, gateway } = await open(json(intent({})));
  expect(await gateway.charge(CHARGE)).toEqual({ kind: 'done', gatewayChargeId: 'pi_1' });
  const [request] = server.requests;
  expect(server.requests).toHaveLength(1);
  expect(request?.path).toBe('/cards/v1/payment_intents');
  expect(request?.headers).toMatchObject({
    authorization: 'Bearer sk_test_x',
    'idempotency-key': 'charge-key-1',
  });
  expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
    amount: '1700',
    currency: 'usd',
    customer: 'cus_1',
    payment_method: 'pm_1',
    'allowed_payment_method_types[0]': 'card',
    confirm: 'true',
    off_session: 'true',
    description: 'Plan 2',
    'metadata[chargeId]': 'charge-1',
  });
});

test.for(Object.entries(NONSENSE))('%s is unknown, after one call', async ([, script]) => {
  const { server, gateway } = await open(script);
  expect((await gateway.charge(CHARGE)).kind).toBe('unknown');
  // Who gives up soon may have done so before a busy machine has read the call.
  expect(server.requests.length).toBeGreaterThanOrEqual(isSilent(script) ? 0 : 1);
  expect(server.requests.length).toBeLessThan(2);
  expect(
    (await gateway.createCustomer({ key: 'k', email: 'a@b.test', workspaceId: 'w' })).kind,
  ).toBe('unknown');
  expect((await gateway.findCharge(LOOK_UP)).kind).toBe('unknown');
});

test.for([
  [
    402,
    { type: 'card_error', code: 'card_declined', decline_code: 'generic_decline' },
    'card_declined',
  ],
  [
    402,
    { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' },
    'insufficient_funds',
  ],
  [402, { type: 'card_error', code: 'incorrect_number' }, 'card_invalid'],
  [402, { type: 'card_error', code: 'expired_card' }, 'card_invalid'],
  [402, { type: 'card_error', code: 'incorrect_cvc' }, 'card_invalid'],
  [402, { type: 'card_error', code: 'authentication_required' }, 'authentication_required'],
  [400, { type: 'card_error', code: 'invalid_expiry_year' }, 'card_invalid'],
  [402, {}, 'card_declined'],
] as const)('%i with %j is declined as %s', async ([status, error, code]) => {
  const { gateway } = await open(stripeError(status, error));
  expect(await gateway.charge(CHARGE)).toEqual({ kind: 'declined', code });
});

test.for([
  [400, { type: 'invalid_request_error', code: 'resource_missing' }, 'rejected'],
  [400, { type: 'idempotency_error' }, 'rejected'],
  [401, { type: 'invalid_request_error' }, 'rejected'],
  [403, { type: 'invalid_request_error' }, 'rejected'],
  [404, { type: 'invalid_request_error' }, 'rejected'],
  [409, { type: 'invalid_request_error', code: 'idempotency_key_in_use' }, 'unknown'],
  [429, { type: 'rate_limit_error', code: 'rate_limit' }, 'unknown'],
  [500, { type: 'api_error' }, 'unknown'],
  [503, { type: 'api_error' }, 'unknown'],
] as const)('%i with %j is %s, after one call', async ([status, error, kind]) => {
  const { server, gateway } = await open(stripeError(status, error));
  expect((await gateway.charge(CHARGE)).kind).toBe(kind);
  expect(server.requests).toHaveLength(1);
});

test.for([
  ['processing', 'unknown'],
  ['requires_capture', 'unknown'],
  ['a new state', 'unknown'],
  ['requires_action', 'declined'],
  ['requires_payment_method', 'declined'],
  ['canceled', 'declined'],
] as const)('an intent that is %s is %s', async ([status, kind]) => {
  const { gateway } = await open(json(intent({ status })));
  expect((await gateway.charge(CHARGE)).kind).toBe(kind);
});

test('a look-up reads every page and prefers money that moved', async () => {
  const pages: Record<string, object> = {
    '': {
      data: [intent({ id: 'pi_9', metadata: {} }), intent({ id: 'pi_8', status: 'canceled' })],
    },
    pi_8: { data: [intent({ id: 'pi_7' }), intent({ id: 'pi_6', metadata: null })] },
  };
  const { server, gateway } = await open((response, request) => {
    const after = new URL(request.path, 'http://x').searchParams.get('starting_after') ?? '';
    json({ object: 'list', ...pages[after], has_more: after === '' })(response, request);
  });
  expect(await gateway.findCharge(LOOK_UP)).toEqual({
    kind: 'found',
    gatewayChargeId: 'pi_7',
    isOtherCard: false,
    state: 'succeeded',
    amountCents: 1700,
  });
  expect(server.requests[0]?.path).toBe('/cards/v1/payment_intents?customer=cus_1&limit=100');
});

test('a look-up that never ends is unknown, not absent', async () => {
  const { gateway } = await open(
    json({ object: 'list', data: [intent({ metadata: {} })], has_more: true }),
  );
  expect(await gateway.findCharge(LOOK_UP)).toMatchObject({ kind: 'unknown' });
});

test.for([
  ['succeeded', 'done'],
  ['pending', 'done'],
  ['failed', 'rejected'],
] as const)('a refund that is %s is %s', async ([status, kind]) => {
  const { gateway } = await open(json({ id: 're_1', object: 'refund', status }));
  expect((await gateway.refund(REFUND)).kind).toBe(kind);
});

test('a refund goes out with key and our id, which a look-up reads again', async () => {
  const { server, gateway } = await open(json({ id: 're_1', object: 'refund', status: 'pending' }));
  expect(await gateway.refund(REFUND)).toEqual({ kind: 'done', gatewayRefundId: 're_1' });
  const [request] = server.requests;
  expect(request?.headers['idempotency-key']).toBe('refund-key-1');
  expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
    payment_intent: 'pi_1',
    amount: '500',
    'metadata[refundId]': 'refund-1',
  });
});

const refundEntry = (more: object): object => ({
  id: 're_1',
  status: 'succeeded',
  amount: 500,
  metadata: { refundId: 'refund-1' },
  ...more,
});

test.for([
  [[refundEntry({}), refundEntry({ id: 're_0', status: 'failed' })], 'found', 'succeeded'],
  [[refundEntry({ id: 're_2', status: 'canceled' }), refundEntry({})], 'found', 'succeeded'],
  [[refundEntry({ status: 'pending' })], 'found', 'succeeded'],
  [[refundEntry({ status: 'failed' })], 'found', 'failed'],
  [[refundEntry({ metadata: { refundId: 'refund-2' } })], 'absent', undefined],
  [[refundEntry({ metadata: null })], 'absent', undefined],
  [[], 'absent', undefined],
] as const)('of the refunds %j ours is %s, %s', async ([data, kind, state]) => {
  const { server, gateway } = await open(json({ object: 'list', data, has_more: false }));
  const found = await gateway.findRefund(REFUND);
  expect([found.kind, 'state' in found ? found.state : undefined]).toEqual([kind, state]);
  expect(server.requests[0]?.path).toBe('/cards/v1/refunds?payment_intent=pi_1&limit=100');
});

test('refunds that were not all shown do not say that ours is absent', async () => {
  const { gateway } = await open(json({ object: 'list', data: [], has_more: true }));
  expect(await gateway.findRefund(REFUND)).toMatchObject({ kind: 'unknown' });
});

test('cards are detached until none is listed', async () => {
  let left = ['pm_1', 'pm_2', 'pm_3'];
  const { server, gateway } = await open((response, request) => {
    const detached = /payment_methods\/(pm_\d)\/detach/.exec(request.path)?.[1];
    if (detached) {
      left = left.filter((id) => id !== detached);
      return json({ id: detached })(response, request);
    }
    // A page of two at a time.
    return json({ object: 'list', data: left.slice(0, 2).map((id) => ({ id })) })(
      response,
      request,
    );
  });
  expect(await gateway.detachCards({ customerId: 'cus_1' })).toEqual({ kind: 'done', detached: 3 });
  expect(server.requests.map(({ path }) => path)).toEqual([
    '/cards/v1/customers/cus_1/payment_methods?limit=100',
    '/cards/v1/payment_methods/pm_1/detach',
    '/cards/v1/payment_methods/pm_2/detach',
    '/cards/v1/customers/cus_1/payment_methods?limit=100',
    '/cards/v1/payment_methods/pm_3/detach',
    '/cards/v1/customers/cus_1/payment_methods?limit=100',
  ]);
});

test('cards that stay listed for ever are not said to be detached', async () => {
  const { gateway } = await open(json({ id: 'pm_1', data: [{ id: 'pm_1' }] }));
  expect(await gateway.detachCards({ customerId: 'cus_1' })).toMatchObject({ kind: 'unknown' });
});

test('a customer is deleted by the call that deletes, and only "no such customer" means it is gone', async () => {
  const { server, gateway } = await open(json({ id: 'cus_1', object: 'customer', deleted: true }));
  const customerId = 'cus_1';
  expect(await gateway.deleteCustomer({ customerId })).toEqual({ kind: 'done' });
  expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'DELETE /cards/v1/customers/cus_1',
  ]);
  const missing = await open(
    stripeError(404, { type: 'invalid_request_error', code: 'resource_missing' }),
  );
  expect(await missing.gateway.deleteCustomer({ customerId })).toEqual({ kind: 'done' });
  const unserved = await open(stripeError(404, { type: 'invalid_request_error' }));
  expect((await unserved.gateway.deleteCustomer({ customerId })).kind).toBe('rejected');
  const kept = await open(json({ id: 'cus_1', object: 'customer' }));
  expect((await kept.gateway.deleteCustomer({ customerId })).kind).toBe('unknown');
});
