import { CALLS } from '#shared/contract/calls.ts';
import type { Customer } from './customers.ts';

/** Buys plan 2 for one of the customer's accounts, the default one unless told. */
export async function payPlan({ client, user }: Customer, igUsername?: string): Promise<void> {
  const answer = await client.call(CALLS.addSubscription, {
    userId: user.id,
    igUsername: igUsername ?? user.defaultIgUsername,
    packageIndex: 2,
    ccName: 'Ada Example',
    ccNum: '4242 4242 4242 4242',
    ccMonth: '12',
    ccYear: '2030',
    cvv: '123',
    address: '1 Analytical Way',
    zip: '12345',
    city: 'Springfield',
    state: 'Ohio',
    country: 'US',
    phone: '5550100199',
  });
  if (answer.httpStatus !== 200) throw new Error(`addSubscription answered ${answer.httpStatus}`);
}
