import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import { moveGrants } from '#server/identity/members/client-grant.repository.ts';
import type { TeamDeps } from '#server/identity/members/members.service.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import { moveWithinBudget } from '#server/money/budgets/client-budget.service.ts';
import {
  type AccountRow,
  listAccountIds,
  listAccounts,
} from '#server/network/accounts/account.repository.ts';
import {
  type ClientRow,
  deleteClient,
  moveAccounts,
  setClientOf,
} from '#server/network/clients/client.repository.ts';
import { changeClients, getClient } from '#server/network/clients/clients.service.ts';

/**
 * Says whose these accounts are, all or nothing; returns our ids of them.
 * @throws ApiError `not_allowed`, `not_found`, `client_archived`, `budget_reached`
 */
export async function setClient(
  deps: TeamDeps,
  session: Session,
  { igUsernames, clientId }: { igUsernames: readonly string[]; clientId: string | null },
): Promise<AccountId[]> {
  const says = 'client_of_account_changed';
  const { workspaceId } = session;
  let accountIds: AccountId[] = [];
  await changeClients(deps, session, { needs: 'clients', says }, async (tx, now) => {
    const client = clientId === null ? null : await getClient(tx, workspaceId, clientId);
    accountIds = await listAccountIds(tx, workspaceId, igUsernames);
    const accounts = await listAccounts(tx, workspaceId, accountIds);
    await giveToClient(tx, { workspaceId, accounts, client, now });
    return client?.id;
  });
  return accountIds;
}

/**
 * Gives accounts to a client, or to nobody, in a transaction that holds the workspace.
 * @throws ApiError `client_archived`, `budget_reached`
 */
export async function giveToClient(
  tx: Tx,
  {
    workspaceId,
    accounts,
    client,
    isBack = false,
    now,
  }: {
    workspaceId: WorkspaceId;
    accounts: readonly AccountRow[];
    client: ClientRow | null;
    /** They were theirs before: an archived client gets them back. */
    isBack?: boolean;
    now: Date;
  },
): Promise<void> {
  const clientId = client?.id ?? null;
  const moved = accounts.filter((account) => account.client_id !== clientId).map(({ id }) => id);
  if (moved.length === 0) return;
  const move = () => setClientOf(tx, workspaceId, moved, clientId);
  if (!client) return move();
  if (!isBack) refuseArchived(client);
  await moveWithinBudget(tx, { workspaceId, clientId: client.id, now }, move);
}

/** @throws ApiError `client_archived` */
export function refuseArchived({ name, archived_at }: ClientRow): void {
  if (archived_at === null) return;
  throw new ApiError(
    'client_archived',
    `${name} is archived. Please take this client out of the archive first.`,
  );
}

/**
 * Accounts and rights go to the other client; its budget holds, and that of the one which is gone goes along.
 * @throws ApiError `not_allowed`, `not_found`, `budget_reached`
 */
export async function mergeClients(
  deps: TeamDeps,
  session: Session,
  { clientId, intoId }: { clientId: string; intoId: string },
): Promise<void> {
  const { workspaceId } = session;
  const says = 'clients_merged';
  await changeClients(deps, session, { needs: 'team', says }, async (tx, now) => {
    const client = await getClient(tx, workspaceId, clientId);
    const into = await getClient(tx, workspaceId, intoId);
    if (client.id === into.id) {
      throw new ApiError('not_found', 'Please choose another client to merge with.');
    }
    const way = { from: client.id, into: into.id };
    await moveWithinBudget(tx, { workspaceId, clientId: into.id, now }, () =>
      moveAccounts(tx, workspaceId, way),
    );
    await moveGrants(tx, workspaceId, way);
    await deleteClient(tx, client);
    return into.id;
  });
}
