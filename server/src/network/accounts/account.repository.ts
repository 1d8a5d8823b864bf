import { type Selectable, sql } from 'kysely';
import type { AccountId, IgId, WorkspaceId } from '#shared/domain/ids.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { AccountTable } from '#server/kit/db/tables/account.table.ts';
import { notConnected, notYourAccount } from './account-refusals.ts';

export type AccountRow = Selectable<AccountTable>;

export interface AccountKey {
  workspaceId: WorkspaceId;
  accountId: AccountId;
}

/** A connected account by its stored name (lower case, without "@"). */
export async function findAccountByUsername(
  db: Db,
  workspaceId: WorkspaceId,
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

/** @throws ApiError `not_found` */
export async function getAccountByUsername(
  db: Db,
  workspaceId: WorkspaceId,
  igUsername: string,
): Promise<AccountRow> {
  const account = await findAccountByUsername(db, workspaceId, igUsername);
  if (!account) throw notConnected(igUsername);
  return account;
}

/** An account by the network's id, also one that was removed. */
export async function findKnownAccount(
  db: Db,
  workspaceId: WorkspaceId,
  igId: IgId,
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
  workspaceId: WorkspaceId,
  igId: IgId,
): Promise<AccountRow | undefined> {
  const known = await findKnownAccount(db, workspaceId, igId);
  return known?.removed_at === null ? known : undefined;
}

/** @throws ApiError `not_yours` */
export async function getAccountByIgId(
  db: Db,
  workspaceId: WorkspaceId,
  igId: IgId,
): Promise<AccountRow> {
  const account = await findAccountByIgId(db, workspaceId, igId);
  if (!account) throw notYourAccount();
  return account;
}

export async function findAccount(
  db: Db,
  workspaceId: WorkspaceId,
  accountId: AccountId,
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
  workspaceId: WorkspaceId,
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

/** Those of these names that are connected. */
export function listAccountsByUsername(
  db: Db,
  workspaceId: WorkspaceId,
  igUsernames: readonly string[],
): Promise<AccountRow[]> {
  return db
    .selectFrom('account')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('ig_username', '=', sql<string>`any(${igUsernames}::text[])`)
    .where('removed_at', 'is', null)
    .execute();
}

/**
 * Ids of connected accounts by their stored names.
 * @throws ApiError `not_found`: one of them isn't connected
 */
export async function listAccountIds(
  db: Db,
  workspaceId: WorkspaceId,
  igUsernames: readonly string[],
): Promise<AccountId[]> {
  const rows = await listAccountsByUsername(db, workspaceId, igUsernames);
  const known = new Set(rows.map(({ ig_username: name }) => name));
  const missing = igUsernames.find((name) => !known.has(name));
  if (missing !== undefined) throw notConnected(missing);
  return rows.map(({ id }) => id);
}

/**
 * Ids of the first accounts in that order, of all clients or these; the default account is among them, in place of the
 * last.
 */
export async function listFirstAccountIds(
  db: Db,
  workspaceId: WorkspaceId,
  {
    limit = ACCOUNTS_LIMIT,
    defaultId = null,
    clientIds,
  }: {
    limit?: number | undefined;
    defaultId?: string | null;
    clientIds: readonly string[] | undefined;
  },
): Promise<AccountId[]> {
  let query = db
    .selectFrom('account')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('removed_at', 'is', null);
  if (clientIds) query = query.where('client_id', '=', sql<string>`any(${clientIds}::uuid[])`);
  const rows = await query
    .orderBy((eb) => eb('id', 'is distinct from', defaultId))
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Of a workspace, those it removed included: their rows stay. */
export const ACCOUNTS_LIMIT = 10_000;

/**
 * Connects an account by name; what the network says of it is stored by `storeAccountReading`.
 * Violates `account_username_is_connected` when the workspace has that name already.
 * @throws ApiError `too_many_accounts`
 */
export async function insertAccount(
  tx: Tx,
  account: { workspaceId: WorkspaceId; id: string; igUsername: string; now: Date },
): Promise<void> {
  if (await isFull(tx, account.workspaceId)) throw tooManyAccounts();
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

export function tooManyAccounts(): ApiError {
  return new ApiError(
    'too_many_accounts',
    'You can connect up to 10,000 accounts, including ones you’ve removed. You can still reconnect those.',
  );
}

async function isFull(db: Db, workspaceId: WorkspaceId): Promise<boolean> {
  const last = await db
    .selectFrom('account')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .offset(ACCOUNTS_LIMIT - 1)
    .limit(1)
    .executeTakeFirst();
  return last !== undefined;
}

/** Every tag of the workspace’s connected accounts, as it is written there. */
export async function listTags(tx: Tx, workspaceId: WorkspaceId): Promise<string[]> {
  const { rows } = await sql<{ tag: string }>`
    select distinct tag from account, unnest(tags) tag
    where workspace_id = ${workspaceId} and removed_at is null order by tag`.execute(tx);
  return rows.map(({ tag }) => tag);
}

export async function setTags(
  tx: Tx,
  workspaceId: WorkspaceId,
  accounts: ReadonlyArray<Pick<AccountRow, 'id' | 'tags'>>,
): Promise<void> {
  const rows = accounts.map(({ id, tags }) => ({ id, tags }));
  await sql`
    update account a set tags = t.tags
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as t(id uuid, tags text[])
    where a.workspace_id = ${workspaceId} and a.id = t.id`.execute(tx);
}

/** A connected account as a call names it. */
export interface NamedAccount {
  by: 'name' | 'igId' | 'id';
  value: string;
}

/** The clients of those that are connected; null: nobody’s. */
export async function listClientsOf(
  db: Db,
  workspaceId: WorkspaceId,
  named: readonly NamedAccount[],
): Promise<Array<{ clientId: string | null }>> {
  const { rows } = await sql<{ clientId: string | null }>`
    select a.client_id as "clientId"
      from jsonb_to_recordset(${JSON.stringify(named)}::text::jsonb) as n("by" text, value text)
      join account a on a.workspace_id = ${workspaceId} and a.removed_at is null and case n."by"
        when 'name' then a.ig_username = n.value
        when 'igId' then a.ig_id = n.value
        else a.id::text = lower(n.value) end`.execute(db);
  return rows;
}
