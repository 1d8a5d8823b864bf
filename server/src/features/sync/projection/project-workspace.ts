import type { AccountChange, DeliverySettingsChange, OrderChange } from '#shared/sync/entities.ts';
import { findPlan } from '#shared/domain/plans.ts';
import type { Deps } from '../../../deps.ts';
import { viewAccounts } from '../../accounts/accounts.service.ts';
import { listLikeOrdersById } from '../../orders/like-order.repository.ts';
import { toLikeOrder } from '../../orders/order-view.ts';
import type { ScopeOwner } from '../scope-owner.ts';

type ProjectionDeps = Pick<Deps, 'database' | 'settings'>;

/** A row must not change by itself: "possible until" is told whole, and the screen knows what time it is. */
const ALWAYS = { now: () => 0, sleep: () => Promise.resolve() };

export async function projectAccounts(
  deps: ProjectionDeps,
  { workspaceId }: ScopeOwner,
  ids: readonly string[],
): Promise<Array<[id: string, row: AccountChange]>> {
  const accounts = await viewAccounts({ ...deps, clock: ALWAYS }, workspaceId, ids);
  return accounts.map(({ accountId, connectedAt, view }) => [
    accountId,
    { ...view, accountId, connectedAt: connectedAt.toISOString() },
  ]);
}

export async function projectDeliverySettings(
  deps: ProjectionDeps,
  { workspaceId }: ScopeOwner,
  ids: readonly string[],
): Promise<Array<[id: string, row: DeliverySettingsChange]>> {
  const accounts = await viewAccounts({ ...deps, clock: ALWAYS }, workspaceId, ids);
  return accounts.map(({ accountId, view }) => {
    const plan = view.accountPackageId === null ? undefined : findPlan(view.accountPackageId);
    const planLikes = plan?.likes ?? null;
    return [accountId, { accountId, igId: view.igId, settings: view.delivery, planLikes }];
  });
}

export async function projectOrders(
  { database }: ProjectionDeps,
  { workspaceId }: ScopeOwner,
  ids: readonly string[],
): Promise<Array<[id: string, row: OrderChange]>> {
  const rows = await listLikeOrdersById(database.db, workspaceId, ids);
  return rows.map((row) => [
    row.id,
    { ...toLikeOrder(row, row.ig_username), accountId: row.account_id },
  ]);
}
