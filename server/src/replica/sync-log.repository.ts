import { type RawBuilder, sql } from 'kysely';
import type { EntityName } from '#shared/sync/entities.ts';
import type { Scope, Versions } from '#shared/contract/scope.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db } from '#server/kit/db/database.ts';
import type { ScopeOwner } from './scope-owner.ts';

export interface Head {
  v: number;
  gcV: number;
}

/** A line of the log. */
export interface LogRow {
  entity: EntityName;
  id: string;
  v: number;
  deleted: boolean;
}

export async function readEpoch(db: Db): Promise<string> {
  const { epoch } = await db.selectFrom('sync_epoch').select('epoch').executeTakeFirstOrThrow();
  return epoch;
}

/**
 * Where scopes stand. Whoever has read a head sees, in every later statement, all changes up to it: a
 * commit is visible before it lets go of the head. A scope that never changed is at 0.
 */
export async function readHeads(db: Db, owners: readonly ScopeOwner[]): Promise<Map<Scope, Head>> {
  const keys = owners.map(({ workspaceId, scope }) => ({ workspace_id: workspaceId, scope }));
  const { rows } = await sql<{ scope: Scope; v: number; gcV: number }>`
    select h.scope, h.v, h.gc_v as "gcV"
    from jsonb_to_recordset(${JSON.stringify(keys)}::text::jsonb) as k(workspace_id uuid, scope text)
    join sync_head h on h.workspace_id = k.workspace_id and h.scope = k.scope collate "C"
  `.execute(db);
  const heads = new Map(owners.map(({ scope }): [Scope, Head] => [scope, { v: 0, gcV: 0 }]));
  for (const { scope, v, gcV } of rows) heads.set(scope, { v, gcV });
  return heads;
}

/** As `readHeads`; a replica that has reached these holds everything that was committed before. */
export async function readVersions(db: Db, owners: readonly ScopeOwner[]): Promise<Versions> {
  const heads = await readHeads(db, owners);
  return Object.fromEntries(Array.from(heads, ([scope, { v }]) => [scope, v]));
}

/** A place in the log, behind which a page begins. */
export interface LogPlace {
  v: number;
  entity: string;
  id: string;
}

/** The log behind a place, up to a version, in its order. */
export async function readLog(
  db: Db,
  { workspaceId, scope }: ScopeOwner,
  range: { behind: LogPlace; to: number; limit: number },
): Promise<LogRow[]> {
  const { behind, to, limit } = range;
  const { rows } = await sql<LogRow>`
    select entity, id, v, deleted from sync_row
    where workspace_id = ${workspaceId} and scope = ${scope} and v <= ${to}
      and (v, entity, id) > (${behind.v}::bigint, ${behind.entity} collate "C", ${behind.id} collate "C")
    order by v, entity, id limit ${limit}
  `.execute(db);
  return rows;
}

/** Live rows of an entity (or what one account has of it) behind an id, the highest ids first: ours are made in order of time. */
export async function listLiveRows(
  db: Db,
  { workspaceId, scope }: ScopeOwner,
  page: {
    entity: EntityName;
    after: string | undefined;
    account: string | undefined;
    limit: number;
  },
): Promise<Array<{ id: string; v: number }>> {
  const { entity, after, account, limit } = page;
  const { rows } = await sql<{ id: string; v: number }>`
    select id, v from sync_row
    where workspace_id = ${workspaceId} and scope = ${scope} and entity = ${entity} and not deleted
      and (${after ?? null}::text is null or id < ${after ?? null} collate "C")
      and ${account === undefined ? sql`true` : isOfAccount(workspaceId, entity, account)}
    order by id desc limit ${limit}
  `.execute(db);
  return rows;
}

function isOfAccount(
  workspaceId: WorkspaceId,
  entity: EntityName,
  account: string,
): RawBuilder<unknown> {
  if (entity === 'account') return sql`id = ${account}::uuid::text collate "C"`;
  if (entity !== 'order') return sql`true`;
  return sql`id in (select o.id::text from like_order o
    where o.workspace_id = ${workspaceId} and o.account_id = ${account}::uuid)`;
}

export async function countLiveRows(
  db: Db,
  { workspaceId, scope }: ScopeOwner,
  entities: readonly EntityName[],
): Promise<Map<EntityName, number>> {
  const rows = await db
    .selectFrom('sync_row')
    .select((eb) => ['entity', eb.fn.countAll<number>().as('count')])
    .where('workspace_id', '=', workspaceId)
    .where('scope', '=', scope)
    .where('entity', 'in', entities)
    .where('deleted', '=', false)
    .groupBy('entity')
    .execute();
  return new Map(rows.map(({ entity, count }) => [entity, count]));
}

/** Every live row of a scope, for a checksum. */
export function listLiveKeys(
  db: Db,
  { workspaceId, scope }: ScopeOwner,
): Promise<Array<Pick<LogRow, 'entity' | 'id' | 'v'>>> {
  return db
    .selectFrom('sync_row')
    .select(['entity', 'id', 'v'])
    .where('workspace_id', '=', workspaceId)
    .where('scope', '=', scope)
    .where('deleted', '=', false)
    .execute();
}
