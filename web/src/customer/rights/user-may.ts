import type { Membership } from '#shared/contract/people/user.ts';
import {
  type Action,
  may,
  maySomewhere,
  type Person,
  type Role,
} from '#shared/domain/people/may.ts';

interface InWorkspace {
  membership?: Pick<Membership, 'role' | 'allClients' | 'grants'> | undefined;
}

/** What somebody is in the workspace they act in; what is kept from before knows owners only. */
export const roleOf = (user: InWorkspace | null): Role => user?.membership?.role ?? 'Owner';

export function personOf(user: InWorkspace | null): Person {
  const { allClients = true, grants = [] } = user?.membership ?? {};
  const granted = grants.map(({ clientId, role }): [string, Role] => [clientId, role]);
  return { role: roleOf(user), allClients, grants: Object.fromEntries(granted) };
}

/** Whether there are others in the workspace. */
export const isTeam = (
  user: { membership?: Pick<Membership, 'people'> | undefined } | null,
): boolean => (user?.membership?.people ?? 1) > 1;

/** Whether they may do something there; with single accounts, whether with any. */
export const userMay = (user: InWorkspace | null, action: Action): boolean =>
  maySomewhere(personOf(user), action);

/** Whether they may do something with each of these accounts. */
export function userMayWithAll(
  user: InWorkspace | null,
  action: Action,
  accounts: () => ReadonlyArray<{ client?: { id: string } | null | undefined }>,
): boolean {
  const person = personOf(user);
  if (person.allClients) return may(person, action);
  return accounts().every(({ client }) => may(person, action, { clientId: client?.id ?? null }));
}

/** Whether they may do something with an account. */
export const userMayWith = (
  user: InWorkspace | null,
  action: Action,
  account: { client?: { id: string } | null | undefined },
): boolean => may(personOf(user), action, { clientId: account.client?.id ?? null });
