import type { Hono } from 'hono';
import { parse } from 'valibot';
import { CALLS } from '#shared/contract/calls.ts';
import type { CallInput } from '#shared/contract/call.ts';
import type { Membership, User } from '#shared/contract/people/user.ts';
import { createPasswords } from '#server/identity/users/password.ts';
import { registerUser } from '#server/use-cases/customers/registration.service.ts';
import { ApiClient, ipAddress } from '../calls/api-client.ts';
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

/** What calls take of a customer; the rest of a `User` takes twenty statements to read. */
type Known = Pick<User, 'id' | 'name' | 'email' | 'defaultIgUsername' | 'defaultIgId'> & {
  membership?: Pick<Membership, 'workspaceId' | 'role'> | undefined;
};

export interface Customer {
  client: ApiClient;
  user: Known;
}

/** Somebody new who registers by the call, their account existing on the fake network, from an address of their own. */
export async function signUp(
  app: Hono,
  deps: TestDeps,
  name: string,
  changes: Partial<CallInput<typeof CALLS.register>> = {},
): Promise<Customer & { user: User }> {
  deps.network.addAccount(name);
  const client = new ApiClient(app, { address: addressOf(name) });
  const { httpStatus, body } = await client.call(CALLS.register, registration(name, changes));
  if (httpStatus !== 200 || !body.data) throw new Error(`register answered ${httpStatus}`);
  return { client, user: body.data };
}

const addressOf = (name: string): string => `customer-${name}`;

/** A new customer as `signUp` makes them, but without the call’s limit and answer: half the statements. */
export async function registerCustomer(
  app: Hono,
  deps: TestDeps,
  name: string,
  changes: Partial<CallInput<typeof CALLS.register>> = {},
): Promise<Customer> {
  deps.network.addAccount(name);
  const address = addressOf(name);
  const client = new ApiClient(app, { address });
  const typed = parse(CALLS.register.input, registration(name, changes));
  const registered = await registerUser(
    { ...deps, passwords: createPasswords(deps, { concurrency: 1, waiting: 0 }) },
    typed,
    { userAgent: '', bonus: undefined, browserToken: undefined, address: ipAddress(address) },
  );
  const { workspaceId, userId, signIn, browser } = registered;
  client.setCookie('ovation', signIn.token);
  client.setCookie(browser.name, browser.value);
  const account = await deps.database.db
    .selectFrom('account')
    .select(['ig_username', 'ig_id'])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const user = {
    id: userId,
    name: typed.name,
    email: typed.email,
    defaultIgUsername: account.ig_username,
    defaultIgId: account.ig_id ?? '',
    membership: { workspaceId, role: 'Owner' as const },
  };
  return { client, user };
}
