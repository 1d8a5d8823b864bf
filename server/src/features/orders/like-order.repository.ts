import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { LikeOrderTable } from './like-order.table.ts';
import type { OrderReason } from './reasons.ts';

export type LikeOrderRow = Selectable<LikeOrderTable>;

/** What is decided when an order is made; the rest begins at its only possible value. */
export type NewLikeOrder = Omit<
  Insertable<LikeOrderTable>,
  | 'state'
  | 'reason'
  | 'start_count'
  | 'delivered'
  | 'views_delivered'
  | 'remains'
  | 'provider_seq'
  | 'started_at'
  | 'finished_at'
  | 'cancel_requested'
  | 'next_attempt_at'
  | 'fence'
  | 'attempts'
  | 'attempted_at'
  | 'credits_settled_at'
>;

/**
 * Makes an order, due for placing at once; part of the transaction that is its reason.
 * Throws a unique violation of `like_order_one_automatic` or `like_order_day_slot` where the
 * subscription has this post's order, or the day's slot is taken.
 */
export async function insertLikeOrder(tx: Tx, order: NewLikeOrder): Promise<void> {
  await tx
    .insertInto('like_order')
    .values({
      ...order,
      state: 'Pending',
      reason: null,
      start_count: null,
      delivered: 0,
      views_delivered: 0,
      remains: order.ordered + order.bonus,
      provider_seq: -1,
      started_at: null,
      finished_at: null,
      cancel_requested: false,
      next_attempt_at: order.detected_at,
      fence: 0,
      attempts: 0,
      attempted_at: null,
    })
    .execute();
}

/** Orders of one account (and post), newest first. */
export function listLikeOrders(
  db: Db,
  workspaceId: string,
  filter: { accountId: string; postId?: string | undefined; limit: number },
): Promise<LikeOrderRow[]> {
  let query = db
    .selectFrom('like_order')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', filter.accountId);
  if (filter.postId !== undefined) query = query.where('post_id', '=', filter.postId);
  return query.orderBy('detected_at', 'desc').orderBy('id', 'desc').limit(filter.limit).execute();
}

/** These orders, with the name their account has now. */
export async function listLikeOrdersById(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<Array<LikeOrderRow & { ig_username: string }>> {
  return db
    .selectFrom('like_order')
    .innerJoin('account', (join) =>
      join
        .onRef('account.workspace_id', '=', 'like_order.workspace_id')
        .onRef('account.id', '=', 'like_order.account_id'),
    )
    .selectAll('like_order')
    .select('account.ig_username')
    .where('like_order.workspace_id', '=', workspaceId)
    .where('like_order.id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}

/**
 * Asks for the end of the unfinished orders of a subscription, or of one post of an account; what is
 * already delivered stays. The provider is told soon after, by whichever worker comes first. An order
 * that completes meanwhile stays complete.
 * @returns how many orders were asked to stop
 */
export async function requestCancel(
  tx: Tx,
  workspaceId: string,
  target: { accountId: string; postId: string } | { subscriptionId: string },
  request: { reason: Extract<OrderReason, 'post_deleted' | 'stopped'>; now: Date },
): Promise<number> {
  const update = tx
    .updateTable('like_order')
    .set({
      cancel_requested: true,
      reason: request.reason,
      next_attempt_at: request.now,
      // Whoever is placing this order at the moment is overtaken by it.
      fence: sql<number>`fence + 1`,
    })
    .where('workspace_id', '=', workspaceId)
    .where('next_attempt_at', 'is not', null)
    .where('cancel_requested', '=', false);
  const { numUpdatedRows } = await (
    'postId' in target
      ? update.where('account_id', '=', target.accountId).where('post_id', '=', target.postId)
      : update.where('subscription_id', '=', target.subscriptionId)
  ).executeTakeFirst();
  return Number(numUpdatedRows);
}
