import type { EntityName } from '#shared/sync/entities.ts';
import type { Projection, ProjectionDeps } from '#server/replica/projection.ts';
import type { ScopeOwner } from '#server/replica/scope-owner.ts';
import { projectAccounts } from './accounts.service.ts';
import { projectLedger } from './ledger.service.ts';
import { projectOrders } from './orders.service.ts';
import { pageOfPosts, projectPosts } from './posts.repository.ts';
import { projectDevices, projectUser } from './users.service.ts';
import { projectTransactions, projectWallet } from './wallet.service.ts';

type Projector = (
  deps: ProjectionDeps,
  owner: ScopeOwner,
  ids: readonly string[],
) => Promise<Array<[id: string, row: object]>>;

const PROJECTORS: Record<Exclude<EntityName, 'post'>, Projector> = {
  account: projectAccounts,
  order: projectOrders,
  wallet: projectWallet,
  transaction: projectTransactions,
  ledger: projectLedger,
  user: projectUser,
  device: projectDevices,
};

/** Rows as they are now, as JSON text by id; what is gone is missing. */
async function projectRows(
  deps: ProjectionDeps,
  owner: ScopeOwner,
  entity: EntityName,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (entity === 'post') return projectPosts(deps, owner, ids);
  const rows = await PROJECTORS[entity](deps, owner, ids);
  return new Map(rows.map(([id, row]) => [id, JSON.stringify(row)]));
}

/** Every row of the replicas as it is now. */
export const PROJECTION: Projection = { projectRows, pageOfPosts };
