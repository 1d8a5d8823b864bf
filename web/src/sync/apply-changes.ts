import type { WireRow } from '#shared/sync/row.ts';
import { applyRows, type RowChange } from '../local-db/apply-rows.ts';
import { dropSettled } from '../local-db/keep-results.ts';
import { findCursor, putCursor, type ScopeState } from '../local-db/scope-state.ts';
import type { StoreWriter } from '../local-db/sync-store.ts';

/** Brings rows of a scope's shown generation to the versions they came with. */
export async function applyWireRows(
  tx: StoreWriter,
  { scope, generation }: ScopeState,
  rows: readonly WireRow[],
): Promise<void> {
  const byEntity = new Map<string, RowChange[]>();
  for (const [entity, id, v, row] of rows) {
    const changes = byEntity.get(entity) ?? [];
    changes.push({ id, v, row });
    byEntity.set(entity, changes);
  }
  for (const [entity, changes] of byEntity) {
    await applyRows(tx, { scope, entity, generation }, changes);
  }
}

/** Moves a scope's cursor, in the transaction that wrote the rows up to it; never back. */
export async function moveCursor(tx: StoreWriter, scope: string, to: number): Promise<void> {
  const before = await findCursor(tx, scope);
  if (before === undefined || before < to) await putCursor(tx, scope, to);
  await dropSettled(tx);
}
