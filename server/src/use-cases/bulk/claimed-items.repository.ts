import { type ExpressionBuilder, sql, type Updateable } from 'kysely';
import type { BulkChange } from '#shared/contract/accounts/bulk.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Db, Tables, Tx } from '#server/kit/db/database.ts';
import type { BulkItemTable } from '#server/kit/db/tables/bulk.table.ts';
import type { ItemRow, OperationKey } from './bulk.repository.ts';

/*
 * What becomes of claimed changes.
 *
 *   waiting ──claimed───> leased ──its turn──> begun ──made, or refused──> done, failed
 *      │                    │                    │ └─ deferred: begun, unless nothing was done yet ─> waiting
 *      └──────stopped───────┴─> failed           └─ worker late or dead: another one claims it
 *
 * Invariant: who writes its charge, or connects its account, holds it under the fence of their claim.
 */

export const STOPPED = 'This was stopped before it was done.';

type Claimed = Pick<ItemRow, 'workspace_id' | 'operation_id' | 'position' | 'fence'>;

/** A claimed change that nobody has stopped or claimed since. */
const isStillOurs = (item: Claimed) => (is: ExpressionBuilder<Tables, 'bulk_item'>) =>
  is.and({
    workspace_id: item.workspace_id,
    operation_id: item.operation_id,
    position: item.position,
    fence: item.fence,
    outcome: 'waiting',
  });

/** Whether the session in which an operation was started was ended from another one. */
export async function isRevoked(
  db: Db,
  { workspace_id, operation_id }: Pick<Claimed, 'workspace_id' | 'operation_id'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('bulk_operation as o')
    .innerJoin('membership as m', (join) =>
      join.onRef('m.workspace_id', '=', 'o.workspace_id').onRef('m.user_id', '=', 'o.started_by'),
    )
    .innerJoin('session as s', (join) =>
      join
        .onRef('s.workspace_id', '=', 'm.home_workspace_id')
        .onRef('s.user_id', '=', 'm.user_id')
        .onRef('s.id', '=', 'o.session_id'),
    )
    .select('s.id')
    .where('o.workspace_id', '=', workspace_id)
    .where('o.id', '=', operation_id)
    .where('s.end_reason', 'in', ['signed_out', 'password_changed'])
    .executeTakeFirst();
  return row !== undefined;
}

/** From now on it isn't stopped any more. @returns false: it was, or a successor has it */
export async function beginItem(db: Db, item: Claimed): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('bulk_item')
    .set({ begun: true })
    .where(isStillOurs(item))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Keeps a claimed change from being stopped or claimed until the end of the transaction that makes it.
 * @throws ApiError it was: whoever is late does nothing
 */
export async function holdItem(tx: Tx, item: Claimed): Promise<void> {
  const row = await tx
    .selectFrom('bulk_item')
    .select('position')
    .where(isStillOurs(item))
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) throw new ApiError('overtaken', STOPPED);
}

/** Stores what became of a claimed change; a successor's claim outweighs it. */
export async function settleItem(
  db: Db,
  item: Claimed,
  change: Omit<Updateable<BulkItemTable>, 'undo' | 'change'> & { undo?: BulkChange | null },
): Promise<void> {
  const { undo, ...plain } = change;
  await db
    .updateTable('bulk_item')
    .set({
      ...plain,
      ...(undo && { undo: sql<never>`${JSON.stringify(undo)}::text::jsonb` }),
    })
    .where(isStillOurs(item))
    .execute();
}

/**
 * Ends changes that nobody has begun, also claimed ones. Their fence is raised: a worker that was late stores and charges
 * nothing. @returns how many
 */
export async function stopItems(
  tx: Tx,
  { workspaceId, operationId }: OperationKey,
  { reason, now }: { reason: string; now: Date },
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('bulk_item')
    .set((is) => ({
      outcome: 'failed',
      reason,
      code: 'stopped',
      due_at: null,
      ended_at: now,
      fence: is('fence', '+', 1),
    }))
    .where('workspace_id', '=', workspaceId)
    .where('operation_id', '=', operationId)
    .where('outcome', '=', 'waiting')
    .where('begun', '=', false)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
