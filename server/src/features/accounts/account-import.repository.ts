import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { WatchKey } from './account-watch.repository.ts';

/** A full history that this worker is to read. */
export interface ClaimedImport extends WatchKey {
  igUsername: string;
}

/** Takes up to `limit` accounts whose history is to be read, and keeps others off them until `leaseUntil`. */
export async function claimImports(
  db: Db,
  claim: { now: Date; leaseUntil: Date; limit: number },
): Promise<ClaimedImport[]> {
  const { rows } = await sql<ClaimedImport>`
    with due as (
      select workspace_id, account_id from account_watch
      where next_import_at <= ${claim.now}
      order by next_import_at
      limit ${claim.limit}
      for update skip locked
    )
    update account_watch w set next_import_at = ${claim.leaseUntil}
    from due
    where w.workspace_id = due.workspace_id and w.account_id = due.account_id
    returning w.workspace_id as "workspaceId", w.account_id as "accountId",
      w.ig_username as "igUsername"
  `.execute(db);
  return rows;
}

/** Moves an import that isn't finished to another time. */
export async function scheduleImport(db: Db, key: WatchKey, nextImportAt: Date): Promise<void> {
  await db
    .updateTable('account_watch')
    .set({ next_import_at: nextImportAt })
    .where('workspace_id', '=', key.workspaceId)
    .where('account_id', '=', key.accountId)
    .where('next_import_at', 'is not', null)
    .execute();
}

/** Has the history of these accounts read (again). */
export async function requestImports(tx: Tx, keys: readonly WatchKey[], now: Date): Promise<void> {
  for (const { workspaceId, accountId } of keys) {
    await tx
      .updateTable('account_watch')
      .set({ next_import_at: now })
      .where('workspace_id', '=', workspaceId)
      .where('account_id', '=', accountId)
      .execute();
  }
}

export async function finishImport(tx: Tx, key: WatchKey, now: Date): Promise<void> {
  await tx
    .updateTable('account_watch')
    .set({ next_import_at: null })
    .where('workspace_id', '=', key.workspaceId)
    .where('account_id', '=', key.accountId)
    .execute();
  await tx
    .updateTable('account')
    .set({ imported_at: now })
    .where('workspace_id', '=', key.workspaceId)
    .where('id', '=', key.accountId)
    .execute();
}

/**
 * Locks an account's watch, so that no look decides its posts at the same time.
 * @returns the account's network id, null while unknown; undefined when it isn't watched
 */
export async function lockForImport(
  tx: Tx,
  { workspaceId, accountId }: WatchKey,
): Promise<{ igId: string | null } | undefined> {
  const watch = await tx
    .selectFrom('account_watch')
    .select('account_id')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
  if (!watch) return undefined;
  const account = await tx
    .selectFrom('account')
    .select('ig_id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return { igId: account.ig_id };
}
