import { sql } from 'kysely';
import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';
import type { Tx } from '#server/kit/db/database.ts';
import { unlessArchived } from './account-removal.repository.ts';
import type { AccountRow } from './account.repository.ts';
import type { AccountKey } from './account.repository.ts';

/** Holds an account until the end of the transaction. */
export async function lockAccount(
  tx: Tx,
  { workspaceId, accountId }: AccountKey,
): Promise<AccountRow | undefined> {
  return tx
    .selectFrom('account')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
}

/**
 * Holds an account's schedule, so that no poll decides its posts meanwhile.
 * @returns whether it is polled; undefined when it has no schedule
 */
export async function lockSchedule(
  tx: Tx,
  { workspaceId, accountId }: AccountKey,
): Promise<boolean | undefined> {
  const schedule = await tx
    .selectFrom('poll_schedule')
    .select('is_active')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
  return schedule?.is_active;
}

/** Gives an account and its schedule another name; polls under way under the old one come to nothing. */
export async function renameAccount(
  tx: Tx,
  { workspaceId, accountId }: AccountKey,
  igUsername: string,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('account')
    .set({ ig_username: igUsername })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', accountId)
    .execute();
  await tx
    .updateTable('poll_schedule')
    .set((eb) => ({
      ig_username: igUsername,
      fence: eb('fence', '+', 1),
      fingerprint: null,
      failures: 0,
      next_poll_at: now,
    }))
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .execute();
}

/** Starts the 48 hours of D6 again. */
export async function setUsernameChangedAt(
  tx: Tx,
  workspaceId: WorkspaceId,
  accountIds: readonly AccountId[],
  now: Date,
): Promise<void> {
  await tx
    .updateTable('account')
    .set({ username_changed_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', accountIds)
    .execute();
}

/** Copies tags, client (unless they are archived) and delivery settings of another account. */
export async function copySettings(
  tx: Tx,
  from: AccountRow,
  { workspaceId, accountId }: AccountKey,
): Promise<void> {
  await tx
    .updateTable('account')
    .set({
      automatic_likes: from.automatic_likes,
      speed: from.speed,
      range_min: from.range_min,
      range_max: from.range_max,
      tags: from.tags,
      client_id: unlessArchived(sql.val(from.client_id)),
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', accountId)
    .execute();
}

/** Whether nothing was ever bought for an account, or decided about its money: no subscription, no order, no budget. */
export async function isWithoutHistory(
  tx: Tx,
  { workspaceId, accountId }: AccountKey,
): Promise<boolean> {
  for (const table of ['subscription', 'like_order', 'budget'] as const) {
    const row = await tx
      .selectFrom(table)
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('account_id', '=', accountId)
      .limit(1)
      .executeTakeFirst();
    if (row) return false;
  }
  return true;
}

/** Drops an account with its posts and its schedule. Only for one without history. */
export async function deleteAccountRow(
  tx: Tx,
  { workspaceId, accountId }: AccountKey,
): Promise<void> {
  await tx
    .deleteFrom('account')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', accountId)
    .execute();
}
