import type { Db, Tx } from '../../db/database.ts';
import type { LikeOrderRow } from '../orders/like-order.repository.ts';

export interface OrderKey {
  workspaceId: string;
  orderId: string;
}

/** Ended orders whose credits haven't been settled, those waiting longest first. */
export function listUnsettledOrders(db: Db, limit: number): Promise<OrderKey[]> {
  return db
    .selectFrom('like_order')
    .select(['workspace_id as workspaceId', 'id as orderId'])
    .where('finished_at', 'is not', null)
    .where('credits_settled_at', 'is', null)
    .orderBy('finished_at')
    .limit(limit)
    .execute();
}

/** One of them, held until the end of the transaction; undefined when it is settled or being settled. */
export async function lockUnsettledOrder(
  tx: Tx,
  { workspaceId, orderId }: OrderKey,
): Promise<(LikeOrderRow & { igUsername: string }) | undefined> {
  const order = await tx
    .selectFrom('like_order')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', orderId)
    .where('finished_at', 'is not', null)
    .where('credits_settled_at', 'is', null)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!order) return undefined;
  const { ig_username: igUsername } = await tx
    .selectFrom('account')
    .select('ig_username')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', order.account_id)
    .executeTakeFirstOrThrow();
  return { ...order, igUsername };
}

export async function markSettled(
  tx: Tx,
  { workspaceId, orderId }: OrderKey,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('like_order')
    .set({ credits_settled_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', orderId)
    .execute();
}
