import { sql } from 'kysely';
import type { Scope } from '#shared/contract/scope.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { ScopeOwner } from './scope-owner.ts';

/** Scopes with tombstones that nobody has dated yet, or that are older than `before`. */
export async function listScopesToClean(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<ScopeOwner[]> {
  const rows = await db
    .selectFrom('sync_row')
    .select(['workspace_id', 'scope'])
    .distinct()
    .where('deleted', '=', true)
    .where((or) => or.or([or('deleted_at', 'is', null), or('deleted_at', '<', before)]))
    .limit(limit)
    .execute();
  return rows.map((row) => ({ workspaceId: row.workspace_id, scope: row.scope }));
}

/**
 * Dates the new tombstones of a scope and takes the old ones out of its log. Holds the head first, as
 * whoever writes the log does, so neither waits for the other in a circle.
 * @returns how many were taken out
 */
export async function cleanScope(
  tx: Tx,
  { workspaceId, scope }: ScopeOwner,
  { now, before }: { now: Date; before: Date },
): Promise<number> {
  await tx
    .selectFrom('sync_head')
    .select('v')
    .where('workspace_id', '=', workspaceId)
    .where('scope', '=', scope)
    .forUpdate()
    .execute();
  const gone = await tx
    .deleteFrom('sync_row')
    .where('workspace_id', '=', workspaceId)
    .where('scope', '=', scope)
    .where('deleted', '=', true)
    .where('deleted_at', '<', before)
    .returning('v')
    .execute();
  await tx
    .updateTable('sync_row')
    .set({ deleted_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('scope', '=', scope)
    .where('deleted', '=', true)
    .where('deleted_at', 'is', null)
    .execute();
  if (gone.length > 0) await raiseCollected(tx, { workspaceId, scope }, gone);
  return gone.length;
}

/** Cursors below it can't be told any more what has gone. */
async function raiseCollected(
  tx: Tx,
  { workspaceId, scope }: { workspaceId: WorkspaceId; scope: Scope },
  gone: ReadonlyArray<{ v: number }>,
): Promise<void> {
  const highest = gone.reduce((most, { v }) => Math.max(most, v), 0);
  await tx
    .updateTable('sync_head')
    .set({ gc_v: sql<number>`greatest(gc_v, ${highest}::bigint)` })
    .where('workspace_id', '=', workspaceId)
    .where('scope', '=', scope)
    .execute();
}

/**
 * What members saw who are members no more, a few of them at a time: nobody follows their scopes, and their ids are
 * never given again. Holds the heads first, as whoever writes the log does.
 * @returns how many scopes went
 */
export async function deleteScopesOfGone(db: Db, limit: number): Promise<number> {
  const { rows } = await sql`
    with gone as materialized (
      select workspace_id, scope from sync_head h
        where scope like 'w:%' and scope <> 'w:' || workspace_id and not exists (
          select from membership m where m.workspace_id = h.workspace_id and 'w:' || m.id = h.scope)
        order by workspace_id, scope limit ${limit} for update),
    lines as (delete from sync_row r using gone
      where r.workspace_id = gone.workspace_id and r.scope = gone.scope)
    delete from sync_head h using gone
      where h.workspace_id = gone.workspace_id and h.scope = gone.scope returning h.scope`.execute(
    db,
  );
  return rows.length;
}

/** With the results of their mutations. What they still hold unsent is numbered anew when they return. */
export async function deleteUnseenClients(db: Db, unseenSince: Date): Promise<void> {
  await db.deleteFrom('sync_client').where('last_seen_at', '<', unseenSince).execute();
}

export async function deleteOldResults(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('sync_mutation').where('at', '<', before).execute();
}
