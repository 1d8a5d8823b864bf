import { sql } from 'kysely';
import { REVERSING_STATES } from '#server/kit/db/tables/charge.table.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { LikeOrderRow } from '#server/delivery/orders/like-order.repository.ts';

/** An ended order whose credits haven't been settled. */
export type UnsettledOrder = LikeOrderRow & {
  /** The account's name and network id now; an account that was moved has another id. */
  igUsername: string;
  accountIgId: string | null;
};

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
  row: LikeOrderRow,
): Promise<{ isMoneyGone: boolean } | undefined> {
  const { workspace_id: workspaceId, id, subscription_id: subscriptionId } = row;
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
    .selectFrom('refund_request')
    .select('state')
    .where('workspace_id', '=', workspaceId)
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst();
  return { isMoneyGone: moneyBack !== undefined || (await isDisputed(tx, row)) };
}

/** Whether a payment that its plan ran on is called back. */
async function isDisputed(tx: Tx, order: LikeOrderRow): Promise<boolean> {
  const { rows } = await sql<{ isDisputed: boolean }>`select exists (select from dispute d
    join charge c on c.workspace_id = d.workspace_id and c.id = d.charge_id
    join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
    where d.workspace_id = ${order.workspace_id} and d.state in (${sql.join(REVERSING_STATES)})
      and i.subscription_id = ${order.subscription_id}
      and i.created_at <= ${order.detected_at}) as "isDisputed"`.execute(tx);
  return rows[0]?.isDisputed ?? false;
}
