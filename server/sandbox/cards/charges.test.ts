import { afterAll, expect, test } from 'vitest';
import type { ChargeEntry } from './charges.ts';
import { cardOf, createGatewayWorld } from './stripe-client.fake.ts';

const gateway = await createGatewayWorld();
afterAll(() => gateway.stop());

async function payAs(email: string, amount: number): Promise<void> {
  const customer = await gateway.stripe.customers.create({ email });
  const method = await gateway.stripe.paymentMethods.create(cardOf('4242424242424242'));
  await gateway.stripe.paymentMethods.attach(method.id, { customer: customer.id });
  await gateway.pay({ customer: customer.id, payment_method: method.id }, amount);
}

test('the book is read for everybody, or for one e-mail address', async () => {
  await payAs('ada+one@example.com', 999);
  await payAs('mia@example.com', 1700);
  const read = async (query: string): Promise<number[]> => {
    const answer = await gateway.world.app.request(`/control/charges${query}`);
    return ((await answer.json()) as ChargeEntry[]).map(({ amountCents }) => amountCents);
  };
  expect(await read('')).toEqual([999, 1700]);
  expect(await read('?email=ada%2Bone%40example.com')).toEqual([999]);
  expect(await read('?email=nobody%40example.com')).toEqual([]);
});
