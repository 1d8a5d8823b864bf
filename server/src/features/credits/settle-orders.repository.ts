import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { LikeOrderRow } from '../orders/like-order.repository.ts';
import type { OrderReason } from '../orders/reasons.ts';

/** An ended order whose credits haven't been settled. */
export type UnsettledOrder = LikeOrderRow & { igUsername: string; accountIgId: string | null };

/** Those that may be settled now, the ones waiting longest first. */
export async function listUnsettledOrders(
  db: Db,
  { now, limit }: { now: Date; limit: number },
): Promise<UnsettledOrder[]> {
  const { rows } = await sql<UnsettledOrder>`
    select o.*, a.ig_username as "igUsername", a.ig_id as "accountIgId"
    from like_order o join account a on a.workspace_id = o.workspace_id and a.id = o.account_id
    where o.finished_at is not null and o.credits_settled_at is null
      and (o.settle_after is null or o.settle_after <= ${now})
    order by o.finished_at limit ${limit}`.execute(db);
  return rows;
}

/**
 * One of them, held until the end of the transaction; undefined when it is settled or being settled. Its
 * subscription is held before it, as a request for money back does: that one comes before or after.
 */
export async function lockUnsettledOrder(
  tx: Tx,
  { workspace_id: workspaceId, id, subscription_id: subscriptionId }: LikeOrderRow,
): Promise<{ hasMoneyBack: boolean } | undefined> {
  if (subscriptionId !== null) {
    await tx
      .selectFrom('subscription')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', subscriptionId)
      .forShare()
      .executeTakeFirst();
  }
  const order = await tx
    .selectFrom('like_order')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('credits_settled_at', 'is', null)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!order) return undefined;
  const moneyBack = await tx
    .selectFrom('money_back')
    .select('state')
    .where('workspace_id', '=', workspaceId)
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst();
  return { hasMoneyBack: moneyBack !== undefined };
}

export async function markSettled(
  tx: Tx,
  { workspace_id: workspaceId, id }: LikeOrderRow,
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

export async function settleAfter(
  db: Db,
  { workspace_id: workspaceId, id }: LikeOrderRow,
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
