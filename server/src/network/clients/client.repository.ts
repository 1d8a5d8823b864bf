import { type Selectable, sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { ClientTable } from '#server/kit/db/tables/membership.table.ts';

export type ClientRow = Selectable<ClientTable>;

/** The workspace's clients (or these) by name, with how many connected accounts each has. */
export async function listClients(
  db: Db,
  workspaceId: WorkspaceId,
  ids?: readonly string[],
): Promise<Array<ClientRow & { accounts: number }>> {
  const { rows } = await sql<ClientRow & { accounts: number }>`
    select c.*, (select count(*)::integer from account a where a.workspace_id = c.workspace_id
        and a.client_id = c.id and a.removed_at is null) as accounts
      from client c where c.workspace_id = ${workspaceId}
        and ${ids ? sql`c.id = any(${ids}::uuid[])` : sql`true`}
      order by lower(c.name), c.id`.execute(db);
  return rows;
}

export function findClient(
  db: Db,
  workspaceId: WorkspaceId,
  clientId: string,
): Promise<ClientRow | undefined> {
  return db
    .selectFrom('client')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', clientId)
    .executeTakeFirst();
}

/** By name, in whatever case. */
export async function findClientByName(
  db: Db,
  workspaceId: WorkspaceId,
  name: string,
): Promise<ClientRow | undefined> {
  return db
    .selectFrom('client')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .executeTakeFirst();
}

export async function countClients(db: Db, workspaceId: WorkspaceId): Promise<number> {
  const { count } = await db
    .selectFrom('client')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertClient(tx: Tx, row: Omit<ClientRow, 'archived_at'>): Promise<void> {
  await tx
    .insertInto('client')
    .values({ ...row, archived_at: null })
    .execute();
}

export async function updateClient(
  tx: Tx,
  { workspace_id: workspaceId, id }: Pick<ClientRow, 'workspace_id' | 'id'>,
  change: Partial<Pick<ClientRow, 'name' | 'archived_at'>>,
): Promise<void> {
  await tx
    .updateTable('client')
    .set(change)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}

export async function deleteClient(
  tx: Tx,
  { workspace_id: workspaceId, id }: Pick<ClientRow, 'workspace_id' | 'id'>,
): Promise<void> {
  await tx
    .deleteFrom('client')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}

/** Lets another client have all accounts of one, those that were removed too. */
export async function moveAccounts(
  tx: Tx,
  workspaceId: WorkspaceId,
  { from, into }: { from: string; into: string },
): Promise<void> {
  await tx
    .updateTable('account')
    .set({ client_id: into })
    .where('workspace_id', '=', workspaceId)
    .where('client_id', '=', from)
    .execute();
}

/** Says whose these connected accounts are. */
export async function setClientOf(
  tx: Tx,
  workspaceId: WorkspaceId,
  accountIds: readonly string[],
  clientId: string | null,
): Promise<void> {
  await tx
    .updateTable('account')
    .set({ client_id: clientId })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${accountIds}::uuid[])`)
    .where('removed_at', 'is', null)
    .execute();
}

export async function listClientNames(
  db: Db,
  workspaceId: WorkspaceId,
): Promise<Map<string, { id: string; name: string }>> {
  const rows = await db
    .selectFrom('client')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
