import { expect, test } from 'vitest';
import { json, openScriptedServer } from '../http/scripted-server.fake.ts';
import { createStripeGateway } from './stripe-gateway.ts';

const CHARGE = {
  key: 'charge-key-1',
  chargeId: 'charge-1',
  customerId: 'cus_1',
  paymentMethodId: 'pm_1',
  amountCents: 1700,
  description: 'Plan 2',
  presence: { kind: 'absent' } as const,
};

/** What a charge and its look-up say when the gateway tells of this intent. */
async function outcomesOf(change: object): Promise<object[]> {
  const intent = {
    id: 'pi_1',
    object: 'payment_intent',
    status: 'succeeded',
    amount: 1700,
    currency: 'usd',
    customer: 'cus_1',
    metadata: { chargeId: 'charge-1' },
    ...change,
  };
  const server = await openScriptedServer((response, request) => {
    const isList = request.method === 'GET';
    const page = { object: 'list', data: [intent], has_more: false };
    json(isList ? page : intent)(response, request);
  });
  const gateway = createStripeGateway({ stripeUrl: server.url, secretKey: 'sk_test_x' });
  try {
    return [await gateway.charge(CHARGE), await gateway.findCharge(CHARGE)];
  } finally {
    await gateway.close();
    await server.close();
  }
}

test.for([
  [{ amount: 1 }, 'amount 1700, 1'],
  [{ currency: 'jpy' }, 'currency usd, jpy'],
  [{ customer: 'cus_2' }, 'customer cus_1, cus_2'],
  [{ customer: null }, 'customer cus_1, none'],
  [{ amount: 17, currency: 'eur' }, 'amount 1700, 17; currency usd, eur'],
] as const)('a paid intent of %j is a mismatch, not a payment', async ([change, reason]) => {
  const mismatch = { kind: 'mismatch', gatewayChargeId: 'pi_1', reason };
  expect(await outcomesOf(change)).toEqual([mismatch, mismatch]);
});

test('an expanded customer is the customer', async () => {
  const outcomes = await outcomesOf({ customer: { id: 'cus_1', object: 'customer' } });
  expect(outcomes).toMatchObject([{ kind: 'done' }, { kind: 'found', state: 'succeeded' }]);
});
