import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import type { CallInput } from '#shared/contract/call.ts';
import type { User } from '#shared/contract/people/user.ts';
import { ApiClient } from '../calls/api-client.ts';
import type { TestDeps } from '../test-deps.ts';

export const PASSWORD = 'correct horse battery';

/** What a customer types at sign-up; `name` makes address and username their own. */
export function registration(
  name: string,
  changes: Partial<CallInput<typeof CALLS.register>> = {},
): CallInput<typeof CALLS.register> {
  return {
    name: 'Ada Example',
    email: `${name}@example.test`,
    password: PASSWORD,
    igUsername: name,
    package: 3,
    phone: '+1 (555) 010-0199',
    ...changes,
  };
}

export interface Customer {
  client: ApiClient;
  user: User;
}

/** Registers a customer whose account exists on the fake network; from an address of their own. */
export async function registerCustomer(
  app: Hono,
  deps: TestDeps,
  name: string,
  changes: Partial<CallInput<typeof CALLS.register>> = {},
): Promise<Customer> {
  deps.network.addAccount(name);
  const client = new ApiClient(app, { address: `customer-${name}` });
  const { httpStatus, body } = await client.call(CALLS.register, registration(name, changes));
  if (httpStatus !== 200 || !body.data) throw new Error(`register answered ${httpStatus}`);
  return { client, user: body.data };
}
