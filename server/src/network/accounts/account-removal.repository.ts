import { type Expression, sql } from 'kysely';
import type { Tx } from '#server/kit/db/database.ts';
import type { AccountKey } from './account.repository.ts';

/** Whether likes for an account are still on their way. */
export async function hasUnfinishedOrder(
  tx: Tx,
  { workspaceId, accountId }: AccountKey,
): Promise<boolean> {
  const row = await tx
    .selectFrom('like_order')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('next_attempt_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes an account out of the customer's list; its rows stay, and the replicas let go of them. */
export async function markRemoved(tx: Tx, key: AccountKey, now: Date): Promise<void> {
  await tx
    .updateTable('account')
    .set({ removed_at: now, problem: null, unreadable_since: null })
    .where('workspace_id', '=', key.workspaceId)
    .where('id', '=', key.accountId)
    .execute();
}

/**
 * Brings a removed account back, under the name it has now; whatever was counted of it still counts. Its client has it
 * again, unless they were archived since.
 */
export async function connectAgain(
  tx: Tx,
  { workspaceId, accountId, igUsername }: AccountKey & { igUsername: string },
): Promise<void> {
  await tx
    .updateTable('account')
    .set({
      removed_at: null,
      ig_username: igUsername,
      client_id: unlessArchived(sql.ref('account.client_id')),
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', accountId)
    .execute();
}

/** That client of the account that is changed; nobody where they are archived: nothing new comes to them. */
export const unlessArchived = (clientId: Expression<unknown>) =>
  sql<string | null>`(select c.id from client c
    where c.workspace_id = account.workspace_id and c.id = ${clientId} and c.archived_at is null)`;
