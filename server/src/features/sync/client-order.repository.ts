import type { Tx } from '../../db/database.ts';

/**
 * Takes an order id made by a client; true also for the same order again. False when it is another order's,
 * of this workspace or any other.
 */
export async function claimOrderId(
  tx: Tx,
  order: { workspaceId: string; orderId: string; postId: string; likes: number },
): Promise<boolean> {
  const { workspaceId, orderId, postId, likes } = order;
  const claimed = await tx
    .insertInto('client_order')
    .values({ order_id: orderId, workspace_id: workspaceId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('order_id')
    .executeTakeFirst();
  const known = await tx
    .selectFrom('like_order')
    .select(['workspace_id', 'post_id', 'ordered'])
    .where('id', '=', orderId)
    .executeTakeFirst();
  if (!known) return claimed !== undefined;
  return known.workspace_id === workspaceId && known.post_id === postId && known.ordered === likes;
}
