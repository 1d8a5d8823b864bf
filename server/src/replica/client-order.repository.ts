import type { OrderId, PostId, WorkspaceId } from '#shared/domain/ids.ts';
import type { Tx } from '#server/kit/db/database.ts';

/**
 * Takes an order id made by a client.
 * @returns `ordered`: this order has been made; `taken`: it is another order's, of this workspace or any other
 */
export async function claimOrderId(
  tx: Tx,
  order: { workspaceId: WorkspaceId; orderId: OrderId; postId: PostId; likes: number },
): Promise<'free' | 'ordered' | 'taken'> {
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
  if (!known) return claimed ? 'free' : 'taken';
  const isSame =
    known.workspace_id === workspaceId && known.post_id === postId && known.ordered === likes;
  return isSame ? 'ordered' : 'taken';
}
