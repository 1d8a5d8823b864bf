import { CALLS } from '#shared/contract/calls.ts';
import type { ClientGrant } from '#shared/contract/people/team.ts';
import type { Customer } from './customers.ts';
import type { TestDeps } from '../test-deps.ts';

/** Makes a client of an owner's workspace; returns its id. */
export async function makeClient({ client, user }: Customer, name: string): Promise<string> {
  const { body } = await client.call(CALLS.saveClient, { userId: user.id, name });
  const made = body.data?.find((each) => each.name === name);
  if (!made) throw new Error(`saveClient answered ${body.message ?? ''}`);
  return made.id;
}

/** Our id of an account that an owner connects now, for a client or nobody. */
export async function connectFor(
  deps: TestDeps,
  owner: Customer,
  igUsername: string,
  clientId: string | null,
): Promise<string> {
  const { client, user } = owner;
  deps.network.addAccount(igUsername);
  await client.call(CALLS.addAccount, { userId: user.id, igUsername });
  const { id } = await deps.database.db
    .selectFrom('account')
    .select('id')
    .where('ig_username', '=', igUsername)
    .executeTakeFirstOrThrow();
  const { body } = await client.call(CALLS.setClient, {
    userId: user.id,
    igUsernames: [igUsername],
    clientId,
  });
  if (!body.data) throw new Error(`setClient answered ${body.message ?? ''}`);
  return id;
}

/** Lets somebody work for these clients only, or with `null` for all. */
export function grant(
  { client, user }: Customer,
  member: Customer,
  grants: ClientGrant[] | null,
): Promise<unknown> {
  return client.call(CALLS.grantClients, {
    userId: user.id,
    memberId: member.user.id,
    allClients: grants === null,
    grants: grants ?? [],
  });
}
