import type { LikeOrder } from '#shared/contract/like-order.ts';
import { ApiError } from '../../api-error.ts';
import type { Deps } from '../../deps.ts';
import { findAccountByIgId } from '../accounts/account.repository.ts';
import { listLikeOrders, type OrderFilter } from './like-order.repository.ts';
import { toLikeOrder } from './order-view.ts';

/**
 * Receipts of those orders of an account that fit, newest first. Throws `not_yours` for an account that isn't connected to
 * the workspace, whether or not it exists elsewhere.
 */
export async function findLikeOrders(
  deps: Pick<Deps, 'database'>,
  { workspaceId, igId }: { workspaceId: string; igId: string },
  filter: OrderFilter,
): Promise<LikeOrder[]> {
  const { db } = deps.database;
  const account = await findAccountByIgId(db, workspaceId, igId);
  if (!account) throw new ApiError('not_yours', 'This isn’t one of your accounts.');
  const rows = await listLikeOrders(db, { workspaceId, accountId: account.id }, filter);
  return rows.map((row) => toLikeOrder(row, account.ig_username));
}
