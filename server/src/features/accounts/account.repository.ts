import { type Selectable, sql } from 'kysely';
import { ApiError } from '../../api-error.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { AccountTable } from './account.table.ts';

export type AccountRow = Selectable<AccountTable>;

/** A connected account by its stored name (lower case, without "@"). */
export async function findAccountByUsername(
  db: Db,
  workspaceId: string,
  igUsername: string,
): Promise<AccountRow | undefined> {
  return db
    .selectFrom('account')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('ig_username', '=', igUsername)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
}

/** An account by the network's id, also one that was removed. */
export async function findKnownAccount(
  db: Db,
  workspaceId: string,
  igId: string,
): Promise<AccountRow | undefined> {
  return db
    .selectFrom('account')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('ig_id', '=', igId)
    .executeTakeFirst();
}

/** A connected account by the network's id. */
export async function findAccountByIgId(
  db: Db,
  workspaceId: string,
  igId: string,
): Promise<AccountRow | undefined> {
  const known = await findKnownAccount(db, workspaceId, igId);
  return known?.removed_at === null ? known : undefined;
}

export async function findAccount(
  db: Db,
  workspaceId: string,
  accountId: string,
): Promise<AccountRow | undefined> {
  return db
    .selectFrom('account')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', accountId)
    .executeTakeFirst();
}

/** The workspace's accounts (or these), oldest connection first. */
export async function listAccounts(
  db: Db,
  workspaceId: string,
  ids?: readonly string[],
): Promise<AccountRow[]> {
  let query = db
    .selectFrom('account')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('removed_at', 'is', null);
  if (ids) query = query.where('id', '=', sql<string>`any(${ids}::uuid[])`);
  return query.orderBy('created_at').orderBy('id').execute();
}

/** Ids of the first accounts in that order; the default account is among them, in place of the last. */
export async function listFirstAccountIds(
  db: Db,
  workspaceId: string,
  { most, defaultId }: { most: number; defaultId: string | null },
): Promise<string[]> {
  const rows = await db
    .selectFrom('account')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('removed_at', 'is', null)
    .orderBy((eb) => eb('id', 'is distinct from', defaultId))
    .orderBy('created_at')
    .orderBy('id')
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}

/** Of a workspace, those it removed included: their rows stay. */
export const MOST_ACCOUNTS = 10_000;

/**
 * Connects an account by name; what the network says of it is stored by `storeAccountReading`.
 * Violates `account_username_is_connected` when the workspace has that name already.
 * @throws ApiError `too_many_accounts`
 */
export async function insertAccount(
  tx: Tx,
  account: { workspaceId: string; id: string; igUsername: string; now: Date },
): Promise<void> {
  if (await isFull(tx, account.workspaceId)) {
    throw new ApiError(
      'too_many_accounts',
      'You can connect up to 10,000 accounts, including ones you’ve removed. You can still reconnect those.',
    );
  }
  await tx
    .insertInto('account')
    .values({
      workspace_id: account.workspaceId,
      id: account.id,
      ig_username: account.igUsername,
      ig_id: null,
      profile_picture_url: null,
      followers: null,
      problem: null,
      automatic_likes: true,
      speed: 'Instant',
      range_min: null,
      range_max: null,
      imported_at: null,
      last_read_at: null,
      created_at: account.now,
    })
    .execute();
}

async function isFull(db: Db, workspaceId: string): Promise<boolean> {
  const last = await db
    .selectFrom('account')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .offset(MOST_ACCOUNTS - 1)
    .limit(1)
    .executeTakeFirst();
  return last !== undefined;
}
