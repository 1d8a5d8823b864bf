import type { EntityName } from '#shared/sync/entities.ts';
import { SYNC_SCHEMA } from '#shared/sync/version.ts';
import type { Deps } from '../../../deps.ts';
import type { LogRow } from '../sync-log.repository.ts';
import type { ScopeOwner } from '../scope-owner.ts';
import { projectLedger, projectTransactions, projectWallet } from './project-money.ts';
import { projectDevices, projectUser } from './project-person.ts';
import { projectPosts } from './project-posts.ts';
import { projectAccounts, projectDeliverySettings, projectOrders } from './project-workspace.ts';

export type ProjectionDeps = Pick<Deps, 'database' | 'settings'>;

type Projector = (
  deps: ProjectionDeps,
  owner: ScopeOwner,
  ids: readonly string[],
) => Promise<Array<[id: string, row: object]>>;

const PROJECTORS: Record<Exclude<EntityName, 'post'>, Projector> = {
  account: projectAccounts,
  deliverySettings: projectDeliverySettings,
  order: projectOrders,
  wallet: projectWallet,
  transaction: projectTransactions,
  ledger: projectLedger,
  user: projectUser,
  device: projectDevices,
};

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

/**
 * By the schema it makes, from the one above: what that one has lost is put back, and what it has gained
 * is left in, because a client passes over what it doesn't know. The one two back is taken out.
 */
export const DOWNGRADES: ReadonlyMap<number, Downgrade> = new Map([[1, toFirst]]);

/** Rows as they are now, as JSON text by id; what is gone is missing. */
export async function projectRows(
  deps: ProjectionDeps,
  owner: ScopeOwner,
  entity: EntityName,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (entity === 'post') return projectPosts(deps, owner, ids);
  const rows = await PROJECTORS[entity](deps, owner, ids);
  return new Map(rows.map(([id, row]) => [id, JSON.stringify(row)]));
}

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
  deps: ProjectionDeps,
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
    texts.set(entity, await projectRows(deps, owner, entity, ids));
  }
  return lines.map(({ entity, id, v, deleted }) => {
    // Gone meanwhile: its tombstone has a higher version and follows.
    const text = deleted ? undefined : texts.get(entity)?.get(id);
    const row = text === undefined ? 'null' : inSchema(entity, text, schema);
    return `[${JSON.stringify(entity)},${JSON.stringify(id)},${v},${row}]`;
  });
}
