import { expect, test } from 'vitest';
import { openScriptedStripe as open } from '#test/money/scripted-stripe.ts';
import { json, type Script, type ScriptedServer } from '../http/scripted-server.fake.ts';
import type { CardDetails } from './card-gateway.ts';

const sentIn = ({ requests }: ScriptedServer, nth = 0): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(requests[nth]?.body));
const stripeError = (status: number, error: object): Script => json({ error }, status);

const CARD: CardDetails = {
  number: '4242 4242 4242 4242',
  month: 12,
  year: 2034,
  cvv: '123',
  name: 'Ada Lovelace',
  address: { line1: '1 Main St', line2: '', city: 'X', state: '', zip: '10001', country: 'US' },
  phone: '',
};
test('a card is handed over and attached under two keys, empty fields left out', async () => {
  const { server, gateway } = await open(
    json({ id: 'pm_1', card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034 } }),
  );
  expect(await gateway.saveCard({ key: 'card-1', customerId: 'cus_1', card: CARD })).toEqual({
    kind: 'done',
    paymentMethodId: 'pm_1',
    brand: 'visa',
    lastDigits: '4242',
    holderName: '',
    address: { line1: '', line2: '', city: '', state: '', zip: '', country: '' },
    month: 12,
    year: 2034,
  });
  const [create, attach] = server.requests;
  expect(attach?.path).toBe('/cards/v1/payment_methods/pm_1/attach');
  expect(create?.headers['idempotency-key']).toBe('card-1:create');
  expect(attach?.headers['idempotency-key']).toBe('card-1:attach');
  expect(Object.fromEntries(new URLSearchParams(create?.body))).toEqual({
    type: 'card',
    'card[number]': '4242424242424242',
    'card[exp_month]': '12',
    'card[exp_year]': '2034',
    'card[cvc]': '123',
    'billing_details[name]': 'Ada Lovelace',
    'billing_details[address][line1]': '1 Main St',
    'billing_details[address][city]': 'X',
    'billing_details[address][postal_code]': '10001',
    'billing_details[address][country]': 'US',
  });
});

const RETURN_URL = 'https://ovation.example/payment-return?payment=charge-1';
const CHARGE = {
  key: 'charge-key-1',
  chargeId: 'charge-1',
  customerId: 'cus_1',
  paymentMethodId: 'pm_1',
  amountCents: 1700,
  description: 'Plan 2',
  presence: { kind: 'present', returnUrl: RETURN_URL, setsUpCard: true },
} as const;
const ASKED = {
  id: 'pi_1',
  status: 'requires_action',
  amount: 1700,
  currency: 'usd',
  customer: 'cus_1',
  next_action: { type: 'redirect_to_url', redirect_to_url: { url: 'https://bank.test/1' } },
};

test('with its customer there a charge names where to come back to, and the bank’s page', async () => {
  const { server, gateway } = await open(json(ASKED));
  expect(await gateway.charge(CHARGE)).toEqual({
    kind: 'needs_action',
    gatewayChargeId: 'pi_1',
    url: 'https://bank.test/1',
  });
  expect(sentIn(server)).toEqual({
    amount: '1700',
    currency: 'usd',
    customer: 'cus_1',
    payment_method: 'pm_1',
    'allowed_payment_method_types[0]': 'card',
    confirm: 'true',
    return_url: RETURN_URL,
    setup_future_usage: 'off_session',
    description: 'Plan 2',
    'metadata[chargeId]': 'charge-1',
  });
  const presence = { ...CHARGE.presence, setsUpCard: false };
  await gateway.charge({ ...CHARGE, presence });
  expect(sentIn(server, 1)).not.toHaveProperty('setup_future_usage');
});

test('a bank that asks without saying where is one that can’t be answered', async () => {
  const sdk = { type: 'use_stripe_sdk', use_stripe_sdk: {} };
  const { gateway } = await open(json({ ...ASKED, next_action: sdk }));
  const code = 'authentication_required';
  expect(await gateway.charge(CHARGE)).toEqual({ kind: 'declined', code });
});

test('an intent that is known is looked up by its own id', async () => {
  const { server, gateway } = await open(json({ ...ASKED, status: 'succeeded' }));
  const asked = { ...CHARGE, gatewayChargeId: 'pi_1' };
  const found = await gateway.findCharge(asked);
  expect(found).toMatchObject({ kind: 'found', state: 'succeeded', amountCents: 1700 });
  const path = '/cards/v1/payment_intents/pi_1?expand[0]=latest_charge';
  expect(server.requests.map((request) => request.path)).toEqual([path]);
});

test.each([
  ['pm_1', 'needs_action'],
  ['pm_2', 'declined'],
])('what waits after %s was declined for it, of pm_1: %s', async (payment_method, state) => {
  const tried = { id: 'ch_1', amount_refunded: 0, payment_method };
  const waiting = { ...ASKED, payment_method: 'pm_1', latest_charge: tried };
  const { gateway } = await open(json(waiting));
  const found = await gateway.findCharge({ ...CHARGE, gatewayChargeId: 'pi_1' });
  expect(found).toMatchObject({ kind: 'found', state });
});

test('a cancellation that comes too late says what was first', async () => {
  const refused = { type: 'invalid_request_error', code: 'payment_intent_unexpected_state' };
  const outcomeFor = async (status: string): Promise<string> => {
    const { gateway } = await open((response, request) => {
      const script =
        request.method === 'POST' ? stripeError(400, refused) : json({ ...ASKED, status });
      script(response, request);
    });
    return (await gateway.cancelCharge({ gatewayChargeId: 'pi_1' })).kind;
  };
  expect(await outcomeFor('succeeded')).toBe('succeeded');
  expect(await outcomeFor('canceled')).toBe('done');
  expect(await outcomeFor('processing')).toBe('unknown');
});

const INVALID = { type: 'invalid_request_error' } as const;
const MISSING = { ...INVALID, code: 'resource_missing' } as const;

test.for([
  ['GET', 404, MISSING, 'declined'],
  ['POST', 400, INVALID, 'declined'],
  ['POST', 404, { ...MISSING, param: 'payment_method' }, 'declined'],
  ['POST', 400, { ...MISSING, param: 'customer' }, 'rejected'],
  ['POST', 401, INVALID, 'rejected'],
  ['POST', 402, { type: 'card_error', code: 'card_declined' }, 'declined'],
  ['POST', 500, { type: 'api_error' }, 'unknown'],
] as const)(
  'a token whose %s is answered %i with %j is %s',
  async ([method, status, error, kind]) => {
    const { gateway } = await open((response, request) => {
      const found = { id: 'pm_1', type: 'card', customer: null };
      const card = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034 };
      const script =
        request.method === method ? stripeError(status, error) : json({ ...found, card });
      script(response, request);
    });
    const saved = await gateway.saveCard({
      key: 'card-1',
      customerId: 'cus_1',
      card: { token: 'pm_1' },
    });
    expect(saved.kind).toBe(kind);
  },
);
