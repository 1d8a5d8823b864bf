import { type Insertable, type Selectable, sql } from 'kysely';
import type { OrderTerms } from '#shared/domain/money/like-price.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { LikeOrderTable } from '#server/kit/db/tables/like-order.table.ts';
import type { OrderReason } from '#shared/domain/delivery/order-reasons.ts';
import type { AccountId, OrderId, PostId, WorkspaceId } from '#shared/domain/ids.ts';

export type LikeOrderRow = Selectable<LikeOrderTable>;
export type OrderKey = Pick<LikeOrderRow, 'workspace_id' | 'id'>;

/** The plan an automatic order was made under. */
export function termsOf(order: LikeOrderRow): OrderTerms {
  const {
    plan_price_cents: planPriceCents,
    plan_likes: planLikes,
    period_days: periodDays,
  } = order;
  if (planPriceCents === null || planLikes === null || periodDays === null) {
    throw new Error(`Order ${order.id} has no terms`);
  }
  return { planPriceCents, planLikes, periodDays };
}

/**
 * What is decided when an order is made; the rest begins at the one value it can have, here or by
 * its default.
 */
export type NewLikeOrder = Omit<
  Insertable<LikeOrderTable>,
  | 'state'
  | 'reason'
  | 'start_count'
  | 'delivered'
  | 'views_delivered'
  | 'remains'
  | 'provider_seq'
  | 'known_at'
  | 'started_at'
  | 'finished_at'
  | 'cancel_requested'
  | 'next_attempt_at'
  | 'fence'
  | 'attempts'
  | 'attempted_at'
  | 'credits_settled_at'
  | 'credits_returned'
  | 'settle_after'
>;

/**
 * Makes an order, due for placing at once; part of the transaction that is its reason.
 * Throws a unique violation of `like_order_one_automatic` or `like_order_subscription_slot` where the
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
      next_attempt_at: order.start_at,
      fence: 0,
      attempts: 0,
      attempted_at: null,
    })
    .execute();
}

/** An extra-likes order that was made before. */
export function findCreditOrder(
  db: Db,
  workspaceId: WorkspaceId,
  orderId: OrderId,
): Promise<{ ordered: number } | undefined> {
  return db
    .selectFrom('like_order')
    .select('ordered')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', orderId)
    .where('kind', '=', 'credit')
    .executeTakeFirst();
}

/** Which orders of an account are asked for; what is undefined doesn't matter. */
export interface OrderFilter {
  postId?: PostId | undefined;
  kind?: LikeOrderRow['kind'] | undefined;
  state?: LikeOrderRow['state'] | undefined;
  /** Detected from then on, and before then. */
  since?: Date | undefined;
  until?: Date | undefined;
  /** The order the page before ended with. */
  before?: string | undefined;
  limit: number;
}

/** Orders of one account that fit, newest first. */
export function listLikeOrders(
  db: Db,
  { workspaceId, accountId }: { workspaceId: WorkspaceId; accountId: AccountId },
  filter: OrderFilter,
): Promise<LikeOrderRow[]> {
  const { postId, kind, state, since, until, before } = filter;
  let query = db
    .selectFrom('like_order')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId);
  if (postId !== undefined) query = query.where('post_id', '=', postId);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (state !== undefined) query = query.where('state', '=', state);
  if (since !== undefined) query = query.where('detected_at', '>=', since);
  if (until !== undefined) query = query.where('detected_at', '<', until);
  if (before !== undefined) {
    query = query.where(
      sql<boolean>`(detected_at, id) < (select edge.detected_at, edge.id from like_order edge
        where edge.workspace_id = ${workspaceId} and edge.id = ${before})`,
    );
  }
  return query.orderBy('detected_at', 'desc').orderBy('id', 'desc').limit(filter.limit).execute();
}

/** These orders, with the name their account has now. */
export async function listLikeOrdersById(
  db: Db,
  workspaceId: WorkspaceId,
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
    .where('account.removed_at', 'is', null)
    .execute();
}

/**
 * Asks for the end of the unfinished orders of a subscription, of one post of an account, of those paid
 * with credits, or of all of them; what is already delivered stays. The provider is told soon after, by
 * whichever worker comes first. An order that completes meanwhile stays complete.
 * @returns how many orders were asked to stop
 */
export async function requestCancel(
  tx: Tx,
  workspaceId: WorkspaceId,
  target:
    | { accountId: AccountId; postId: PostId }
    | { subscriptionId: string }
    | { kind: 'credit' }
    | 'all',
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
  const { numUpdatedRows } = await update.where(isTarget(target)).executeTakeFirst();
  return Number(numUpdatedRows);
}

function isTarget(target: Parameters<typeof requestCancel>[2]) {
  if (target === 'all') return sql<boolean>`true`;
  if ('kind' in target) return sql<boolean>`kind = 'credit'`;
  return 'postId' in target
    ? sql<boolean>`account_id = ${target.accountId} and post_id = ${target.postId}`
    : sql<boolean>`subscription_id = ${target.subscriptionId}`;
}

/**
 * Makes an unfinished order due, whoever has it: that one is overtaken.
 * @returns whose it is; undefined when there is no such order, or it is final
 */
export async function makeOrderDue(
  tx: Tx,
  orderId: OrderId,
  now: Date,
): Promise<WorkspaceId | undefined> {
  const order = await tx
    .updateTable('like_order')
    .set({ next_attempt_at: now, fence: sql<number>`fence + 1` })
    .where('id', '=', orderId)
    .where('next_attempt_at', 'is not', null)
    .returning('workspace_id')
    .executeTakeFirst();
  return order?.workspace_id;
}

/** What came back of an ended order, once it is booked. */
export async function markSettled(
  tx: Tx,
  { workspace_id: workspaceId, id }: OrderKey,
  settled: { reason: OrderReason | null; creditsReturned: number; now: Date },
): Promise<void> {
  await tx
    .updateTable('like_order')
    .set({
      credits_settled_at: settled.now,
      credits_returned: settled.creditsReturned,
      reason: settled.reason,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}

/** An ended order isn't settled before then. */
export async function settleAfter(
  db: Db,
  { workspace_id: workspaceId, id }: OrderKey,
  at: Date,
): Promise<void> {
  await db
    .updateTable('like_order')
    .set({ settle_after: at })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('credits_settled_at', 'is', null)
    .execute();
}
