import { sql } from 'kysely';
import type { IgId } from '#shared/domain/ids.ts';
import { claimDue, type Lease } from '#server/kit/db/claim-due.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { AccountKey } from './account.repository.ts';

/** A full history that this worker is to read. */
export interface ClaimedImport extends AccountKey {
  igUsername: string;
}

/** Accounts whose history is to be read. */
export function claimImports(db: Db, lease: Lease): Promise<ClaimedImport[]> {
  return claimDue(
    db,
    { ...lease, table: 'poll_schedule', due: 'next_import_at' },
    sql<ClaimedImport>`t.workspace_id as "workspaceId", t.account_id as "accountId",
      t.ig_username as "igUsername"`,
  );
}

/** Moves an import that isn't finished to another time. */
export async function scheduleImport(db: Db, key: AccountKey, nextImportAt: Date): Promise<void> {
  await db
    .updateTable('poll_schedule')
    .set({ next_import_at: nextImportAt })
    .where('workspace_id', '=', key.workspaceId)
    .where('account_id', '=', key.accountId)
    .where('next_import_at', 'is not', null)
    .execute();
}

/** Has the history of these accounts read (again). */
export async function requestImports(
  tx: Tx,
  keys: readonly AccountKey[],
  now: Date,
): Promise<void> {
  for (const { workspaceId, accountId } of keys) {
    await tx
      .updateTable('poll_schedule')
      .set({ next_import_at: now })
      .where('workspace_id', '=', workspaceId)
      .where('account_id', '=', accountId)
      .execute();
  }
}

export async function finishImport(tx: Tx, key: AccountKey, now: Date): Promise<void> {
  await tx
    .updateTable('poll_schedule')
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
 * Locks an account's schedule, so that no poll decides its posts at the same time.
 * @returns the account's network id, null while unknown; undefined when it isn't polled
 */
export async function lockForImport(
  tx: Tx,
  { workspaceId, accountId }: AccountKey,
): Promise<{ igId: IgId | null } | undefined> {
  const schedule = await tx
    .selectFrom('poll_schedule')
    .select('account_id')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
  if (!schedule) return undefined;
  const account = await tx
    .selectFrom('account')
    .select('ig_id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return { igId: account.ig_id };
}
