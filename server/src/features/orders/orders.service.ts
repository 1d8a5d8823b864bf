import type { LikeOrder } from '#shared/contract/like-order.ts';
import { ApiError } from '../../api-error.ts';
import type { Deps } from '../../deps.ts';
import { findAccountByIgId } from '../accounts/account.repository.ts';
import { listLikeOrders } from './like-order.repository.ts';
import { toLikeOrder } from './order-view.ts';

/** As many as posts are answered at most: the newest. */
const ORDERS_MAX = 500;

/**
 * Receipts of an account's orders, newest first. Throws `not_yours` for an account that isn't connected to
 * the workspace, whether or not it exists elsewhere.
 */
export async function findLikeOrders(
  deps: Pick<Deps, 'database'>,
  request: { workspaceId: string; igId: string; postId: string | undefined },
): Promise<LikeOrder[]> {
  const { workspaceId, igId, postId } = request;
  const { db } = deps.database;
  const account = await findAccountByIgId(db, workspaceId, igId);
  if (!account) throw new ApiError('not_yours', 'This account isn’t connected to yours.');
  const rows = await listLikeOrders(db, workspaceId, {
    accountId: account.id,
    postId,
    limit: ORDERS_MAX,
  });
  return rows.map((row) => toLikeOrder(row, account.ig_username));
}
