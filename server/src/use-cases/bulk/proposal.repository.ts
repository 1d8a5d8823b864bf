import { sql } from 'kysely';
import type { BulkKind, ProposalState } from '#shared/domain/accounts/bulk.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import { personName } from '#server/kit/db/people.ts';
import type { OperationKey, OperationRow } from './bulk.repository.ts';
import type { Wanted } from './plan-items.ts';

/** It waits for another person from now on, with what can be changed; its prices are those of now. */
export async function proposeOperation(
  tx: Tx,
  { workspaceId, operationId }: OperationKey,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('bulk_operation')
    .set({ state: 'proposed', started_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', operationId)
    .execute();
  await tx
    .deleteFrom('bulk_item')
    .where('workspace_id', '=', workspaceId)
    .where('operation_id', '=', operationId)
    .where('outcome', '<>', 'planned')
    .execute();
}

/** Who has proposed what waits. */
export async function listProposers(tx: Tx, workspaceId: WorkspaceId): Promise<string[]> {
  const rows = await tx
    .selectFrom('bulk_operation')
    .select('started_by')
    .where('workspace_id', '=', workspaceId)
    .where('state', '=', 'proposed')
    .execute();
  return rows.map(({ started_by: startedBy }) => startedBy);
}

export async function endProposal(
  tx: Tx,
  { workspaceId, operationId }: OperationKey,
  end: {
    state: Exclude<ProposalState, 'proposed'>;
    decidedBy: string | null;
    refusal?: string | null;
    now: Date;
  },
): Promise<void> {
  await tx
    .updateTable('bulk_operation')
    .set({
      state: end.state,
      decided_by: end.decidedBy,
      refusal: end.refusal ?? null,
      ended_at: end.now,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', operationId)
    .execute();
}

/** Proposals made before then that nobody has decided about; whoever else takes some gets others. */
export function takeExpired(tx: Tx, before: Date, limit: number): Promise<OperationRow[]> {
  return tx
    .selectFrom('bulk_operation')
    .selectAll()
    .where('state', '=', 'proposed')
    .where('started_at', '<=', before)
    .orderBy('started_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

/** A page of what is proposed, in its order; its accounts under the names they have now. */
export async function listProposed(
  tx: Tx,
  { workspaceId, operationId }: OperationKey,
  { from, limit }: { from: number; limit: number },
): Promise<Wanted[]> {
  const rows = await tx
    .selectFrom('bulk_item as i')
    .leftJoin('account as a', (join) =>
      join.onRef('a.workspace_id', '=', 'i.workspace_id').onRef('a.id', '=', 'i.account_id'),
    )
    .select(['i.ig_username as planned', 'i.account_id as accountId', 'i.change'])
    .select('a.ig_username as current')
    .where('i.workspace_id', '=', workspaceId)
    .where('i.operation_id', '=', operationId)
    .orderBy('i.position')
    .offset(from)
    .limit(limit)
    .execute();
  // What takes something back is never proposed.
  return rows.flatMap(({ planned, current, accountId, change }) =>
    change.kind === 'remove' ? [] : [{ igUsername: current ?? planned, accountId, change }],
  );
}

export interface ProposalView {
  id: string;
  state: ProposalState;
  startedBy: string;
  startedAt: Date;
  by: string | null;
  decidedBy: string | null;
  refusal: string | null;
  kinds: BulkKind[];
  planned: number;
  todayCents: number;
  monthCents: number;
}

/** Proposals (or this one), those that wait first, then the newest. */
export async function listProposals(
  db: Db,
  workspaceId: WorkspaceId,
  { operationId = null, limit }: { operationId?: string | undefined | null; limit: number },
): Promise<ProposalView[]> {
  const { rows } = await sql<ProposalView>`
    select o.id, o.state, o.started_by as "startedBy", o.started_at as "startedAt", o.refusal,
      ${personName('o.started_by')} as by, ${personName('o.decided_by')} as "decidedBy", i.*
    from (select * from bulk_operation
      where workspace_id = ${workspaceId} and state not in ('draft', 'running', 'done')
        and (${operationId}::uuid is null or id = ${operationId})
      order by state = 'proposed' desc, started_at desc, id desc limit ${limit}
    ) o cross join lateral (
      select coalesce(array_agg(distinct change->>'kind'), '{}') as kinds, count(*)::int as planned,
        coalesce(sum(today_cents), 0)::int as "todayCents",
        coalesce(sum(month_cents), 0)::int as "monthCents"
      from bulk_item where workspace_id = o.workspace_id and operation_id = o.id
    ) i
    order by o.state = 'proposed' desc, o.started_at desc, o.id desc`.execute(db);
  return rows;
}
