import type { LikeOrder } from '#shared/contract/accounts/like-order.ts';
import { reasonSentence } from '#shared/domain/delivery/order-reasons.ts';
import type { OrderChange } from '#shared/sync/entities.ts';
import type { IgId, WorkspaceId } from '#shared/domain/ids.ts';
import type { Deps } from '#server/kit/deps.ts';
import { getAccountByIgId } from '#server/network/accounts/account.repository.ts';
import {
  type LikeOrderRow,
  listLikeOrders,
  listLikeOrdersById,
  type OrderFilter,
} from '#server/delivery/orders/like-order.repository.ts';

/** An order as its receipt shows it. A reason is shown once the order has really ended short. */
export function viewOrder(row: LikeOrderRow, igUsername: string): LikeOrder {
  const isShort = row.finished_at !== null && row.remains > 0;
  return {
    id: row.id,
    kind: row.kind,
    igId: row.ig_id,
    igUsername,
    postId: row.post_id,
    shortcode: row.shortcode,
    state: row.state,
    reason: isShort && row.reason !== null ? reasonSentence(row.reason) : null,
    speed: row.speed,
    startCount: row.start_count,
    ordered: row.ordered,
    bonus: row.bonus,
    delivered: row.delivered,
    remains: row.remains,
    creditsReturned: row.credits_returned,
    views: row.views,
    viewsDelivered: row.views_delivered,
    postedAt: row.posted_at.toISOString(),
    detectedAt: row.detected_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
    finishBy: row.finish_by.toISOString(),
  };
}

/**
 * Receipts of those orders of an account that fit, newest first. Throws `not_yours` for an account that isn't connected to
 * the workspace, whether or not it exists elsewhere.
 */
export async function findLikeOrders(
  deps: Pick<Deps, 'database'>,
  { workspaceId, igId }: { workspaceId: WorkspaceId; igId: IgId },
  filter: OrderFilter,
): Promise<LikeOrder[]> {
  const { db } = deps.database;
  const account = await getAccountByIgId(db, workspaceId, igId);
  const rows = await listLikeOrders(db, { workspaceId, accountId: account.id }, filter);
  return rows.map((row) => viewOrder(row, account.ig_username));
}

export async function projectOrders(
  { database }: Pick<Deps, 'database'>,
  { workspaceId }: { workspaceId: WorkspaceId },
  ids: readonly string[],
): Promise<Array<[id: string, row: OrderChange]>> {
  const rows = await listLikeOrdersById(database.db, workspaceId, ids);
  return rows.map((row) => [
    row.id,
    {
      ...viewOrder(row, row.ig_username),
      accountId: row.account_id,
      reasonCode: row.finished_at === null ? null : row.reason,
    },
  ]);
}
