import type { EntityName, WalletChange } from '#shared/sync/entities.ts';
import { SYNC_SCHEMA } from '#shared/sync/version.ts';
import type { ReplicaDeps } from './projection.ts';
import type { ScopeOwner } from './scope-owner.ts';
import type { LogRow } from './sync-log.repository.ts';

/** Turns a row of today's schema into the one before it, for clients that were built against that. */
export type Downgrade = (entity: EntityName, row: Record<string, unknown>) => unknown;

/**
 * Schema 1 had a billing balance, which D5 has done away with: it is 0 for whoever asks. Of days given back
 * it knows nothing: their posts have no likes because the day has none left.
 */
const toFirst: Downgrade = (entity, row) => {
  if (entity === 'wallet') return { ...row, billingBalance: 0 };
  const isGivenBack = entity === 'post' && row['automaticOutcome'] === 'day_given_back';
  return isGivenBack ? { ...row, automaticOutcome: 'daily_limit' } : row;
};

/** Schema 9 knew no budgets of clients: it would take them for the workspace's. */
const toNinth: Downgrade = (entity, row) => {
  if (entity !== 'wallet') return row;
  const reached = row['reachedBudgets'] as WalletChange['reachedBudgets'];
  return { ...row, reachedBudgets: reached?.filter(({ client }) => !client) };
};

/**
 * Each makes rows of the schema under its number from those of the next one. What the newer schema
 * has lost is put back. What it has gained stays, because clients ignore what they don't know: a
 * schema that only gained has no entry. An older client's rows pass every entry from the newest
 * schema down to its own.
 */
const DOWNGRADES: ReadonlyMap<number, Downgrade> = new Map([
  [1, toFirst],
  [9, toNinth],
]);

/** A row's text in the schema a client speaks. */
export function inSchema(
  entity: EntityName,
  text: string,
  schema: number,
  {
    downgrades = DOWNGRADES,
    newest = SYNC_SCHEMA,
  }: {
    downgrades?: ReadonlyMap<number, Downgrade>;
    newest?: number;
  } = {},
): string {
  if (schema === newest) return text;
  let row: unknown = JSON.parse(text);
  for (let to = newest - 1; to >= schema; to -= 1) {
    row = downgrades.get(to)?.(entity, row as Record<string, unknown>) ?? row;
  }
  return JSON.stringify(row);
}

/** Lines of the log with their rows, as `[entity,id,v,row]` texts in the order given. */
export async function projectLog(
  deps: ReplicaDeps,
  owner: ScopeOwner,
  lines: readonly LogRow[],
  schema: number,
): Promise<string[]> {
  const texts = new Map<EntityName, Map<string, string>>();
  const live = Map.groupBy(
    lines.filter(({ deleted }) => !deleted),
    ({ entity }) => entity,
  );
  for (const [entity, group] of live) {
    const ids = group.map(({ id }) => id);
    texts.set(entity, await deps.projection.projectRows(deps, owner, entity, ids));
  }
  return lines.map(({ entity, id, v, deleted }) => {
    // Gone meanwhile: its tombstone has a higher version and follows.
    const text = deleted ? undefined : texts.get(entity)?.get(id);
    const row = text === undefined ? 'null' : inSchema(entity, text, schema);
    return `[${JSON.stringify(entity)},${JSON.stringify(id)},${v},${row}]`;
  });
}
