import type { Tx } from '../../db/database.ts';
import type { AccountRow } from './account.repository.ts';
import type { WatchKey } from './account-watch.repository.ts';

/** Holds an account until the end of the transaction. */
export async function lockAccount(
  tx: Tx,
  { workspaceId, accountId }: WatchKey,
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
 * Holds an account's watch, so that no look decides its posts meanwhile.
 * @returns whether it is looked at; undefined when it has no watch
 */
export async function lockWatch(
  tx: Tx,
  { workspaceId, accountId }: WatchKey,
): Promise<boolean | undefined> {
  const watch = await tx
    .selectFrom('account_watch')
    .select('is_active')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
  return watch?.is_active;
}

/** Gives an account and its watch another name; looks under way under the old one come to nothing. */
export async function renameAccount(
  tx: Tx,
  { workspaceId, accountId }: WatchKey,
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
    .updateTable('account_watch')
    .set((eb) => ({
      ig_username: igUsername,
      fence: eb('fence', '+', 1),
      digest: null,
      failures: 0,
      next_look_at: now,
    }))
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .execute();
}

/** Starts the 48 hours of D6 again. */
export async function noteUsernameChange(
  tx: Tx,
  workspaceId: string,
  accountIds: readonly string[],
  now: Date,
): Promise<void> {
  await tx
    .updateTable('account')
    .set({ username_changed_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', accountIds)
    .execute();
}

/** Takes over the delivery settings of another account. */
export async function copySettings(
  tx: Tx,
  from: AccountRow,
  { workspaceId, accountId }: WatchKey,
): Promise<void> {
  await tx
    .updateTable('account')
    .set({
      automatic_likes: from.automatic_likes,
      speed: from.speed,
      range_min: from.range_min,
      range_max: from.range_max,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', accountId)
    .execute();
}

/** Whether nothing was ever bought for an account: no subscription, no order. */
export async function isWithoutHistory(
  tx: Tx,
  { workspaceId, accountId }: WatchKey,
): Promise<boolean> {
  for (const table of ['subscription', 'like_order'] as const) {
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

/** Drops an account with its posts and its watch. Only for one without history. */
export async function deleteAccountRow(
  tx: Tx,
  { workspaceId, accountId }: WatchKey,
): Promise<void> {
  await tx
    .deleteFrom('account')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', accountId)
    .execute();
}
