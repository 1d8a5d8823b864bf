import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';
import { type Action, may, type Person } from '#shared/domain/people/may.ts';
import type { Db } from '#server/kit/db/database.ts';
import { notAllowed } from '#server/identity/members/members.service.ts';
import { notYourAccount } from './account-refusals.ts';
import { listClientsOf, type NamedAccount } from './account.repository.ts';

type Asking = Person & { workspaceId: WorkspaceId };

/** The fields in which calls and changes name accounts that are connected. */
const FIELDS = {
  igUsername: 'name',
  oldIgUsername: 'name',
  igUsernames: 'name',
  igId: 'igId',
  accountId: 'id',
  accountIds: 'id',
  pinnedAccountIds: 'id',
} as const;

/**
 * Lets nobody do with an account what they may not, who may do it with others only. Accounts that somebody doesn't
 * see are refused as those that nobody has connected.
 * @throws ApiError `not_yours`, `not_allowed`
 */
export async function checkAccounts(
  db: Db,
  asking: Asking,
  action: Action,
  input: unknown,
): Promise<void> {
  // What is a person's own names accounts that they look at.
  const isOwn = action === 'self';
  if (isOwn ? asking.allClients : may(asking, action) && asking.allClients) return;
  const named = namedIn(input);
  if (named.length === 0) {
    if (may(asking, action)) return;
    throw notAllowed(action);
  }
  const clients = await listClientsOf(db, asking.workspaceId, named);
  const seen = clients.filter((account) => may(asking, 'read', account));
  if (seen.length < named.length) throw notYourAccount();
  if (!seen.every((account) => may(asking, isOwn ? 'read' : action, account))) {
    throw notAllowed(action);
  }
}

/** Each once. */
function namedIn(input: unknown): NamedAccount[] {
  if (typeof input !== 'object' || input === null) return [];
  const named = Object.entries(FIELDS).flatMap(([field, by]) =>
    [(input as Record<string, unknown>)[field]]
      .flat()
      .filter((value): value is string => typeof value === 'string')
      .map((value): [string, NamedAccount] => [`${by} ${value}`, { by, value }]),
  );
  return [...new Map(named).values()];
}

/** Whether somebody may look at an account of the workspace. */
export async function seesAccount(db: Db, asking: Asking, accountId: AccountId): Promise<boolean> {
  if (asking.allClients) return true;
  const [account] = await listClientsOf(db, asking.workspaceId, [{ by: 'id', value: accountId }]);
  return account !== undefined && may(asking, 'read', account);
}

/** The clients whose accounts somebody sees; undefined: all accounts, also those that are nobody's. */
export function seenClients(person: Person): readonly string[] | undefined {
  if (person.allClients) return undefined;
  return Object.keys(person.grants ?? {}).filter((clientId) => may(person, 'read', { clientId }));
}
