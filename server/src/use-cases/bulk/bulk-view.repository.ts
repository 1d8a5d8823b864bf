import { sql } from 'kysely';
import type { BulkKind } from '#shared/domain/accounts/bulk.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db } from '#server/kit/db/database.ts';
import { personName } from '#server/kit/db/people.ts';
import type { ItemRow, OperationKey } from './bulk.repository.ts';

export interface OperationView {
  id: string;
  state: 'running' | 'done';
  undoOf: string | null;
  /** A user's id. */
  startedBy: string;
  /** Who that is; null: they are no longer here. */
  by: string | null;
  startedAt: Date;
  endedAt: Date | null;
  kinds: BulkKind[];
  waiting: number;
  done: number;
  failed: number;
  /** Of those that failed, as somebody stopped them. */
  stopped: number;
  todayCents: number;
  monthCents: number;
  /** 0 once it was undone. */
  undoable: number;
}

/** Operations that were started (or this one), the newest first. */
export async function listOperations(
  db: Db,
  workspaceId: WorkspaceId,
  { operationId = null, limit }: { operationId?: string | null | undefined; limit: number },
): Promise<OperationView[]> {
  const { rows } = await sql<OperationView>`
    select o.id, o.state, o.undo_of as "undoOf", o.started_at as "startedAt", o.ended_at as "endedAt",
      o.started_by as "startedBy", ${personName('o.started_by')} as by, i.*
    from (select * from bulk_operation
      where workspace_id = ${workspaceId} and state in ('running', 'done')
        and (${operationId}::uuid is null or id = ${operationId})
      order by started_at desc, id desc limit ${limit}
    ) o cross join lateral (
      select coalesce(array_agg(distinct change->>'kind'), '{}') as kinds,
        count(*) filter (where outcome = 'waiting')::int as waiting,
        count(*) filter (where outcome = 'done')::int as done,
        count(*) filter (where outcome in ('failed', 'refused'))::int as failed,
        count(*) filter (where outcome = 'failed' and code = 'stopped')::int as stopped,
        coalesce(sum(charged_cents), 0)::int as "todayCents",
        coalesce(sum(month_cents) filter (where outcome = 'done'), 0)::int as "monthCents",
        (case when o.undo_of is null and not exists (select from bulk_operation u
            where u.workspace_id = o.workspace_id and u.undo_of = o.id)
          then count(undo) else 0 end)::int as undoable
      from bulk_item where workspace_id = o.workspace_id and operation_id = o.id
    ) i
    order by o.started_at desc, o.id desc`.execute(db);
  return rows;
}

export async function findRunning(
  db: Db,
  workspaceId: WorkspaceId,
): Promise<OperationView | undefined> {
  const row = await db
    .selectFrom('bulk_operation')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('state', '=', 'running')
    .executeTakeFirst();
  const asked = { operationId: row?.id, limit: 1 };
  return row && (await listOperations(db, workspaceId, asked))[0];
}

const OUTCOMES = { made: ['done'], unmade: ['failed', 'refused'] } as const;

/** Changes that were made or weren't, in their order. */
export function listEnded(
  db: Db,
  { workspaceId, operationId }: OperationKey,
  which: keyof typeof OUTCOMES,
  { after, limit }: { after: number; limit: number },
): Promise<ItemRow[]> {
  return db
    .selectFrom('bulk_item')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('operation_id', '=', operationId)
    .where('outcome', 'in', OUTCOMES[which])
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit)
    .execute();
}
