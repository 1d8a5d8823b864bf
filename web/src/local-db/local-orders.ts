import type { LikeOrder } from '#shared/contract/like-order.ts';
import type { LocalDatabase } from './local-database.ts';
import { rowDifference } from './row-difference.ts';

/** The kept orders of a post, newest first. */
export async function listLocalOrders(db: LocalDatabase, postId: string): Promise<LikeOrder[]> {
  const orders = await db.orders.where('postId').equals(postId).toArray();
  return orders.sort((a, b) => b.detectedAt.localeCompare(a.detectedAt));
}

/** The kept orders of an account, newest first. */
export async function listLocalOrdersOfAccount(
  db: LocalDatabase,
  igId: string,
): Promise<LikeOrder[]> {
  const orders = await db.orders.where('igId').equals(igId).toArray();
  return orders.sort((a, b) => b.detectedAt.localeCompare(a.detectedAt));
}

/** Keeps the orders of an account as the server answered them; orders never disappear. */
export async function keepOrders(
  db: LocalDatabase,
  igId: string,
  orders: readonly LikeOrder[],
): Promise<void> {
  await db.transaction('rw', db.orders, async () => {
    const kept = await db.orders.where('igId').equals(igId).toArray();
    const { changed } = rowDifference(kept, orders, (order) => order.id);
    if (changed.length > 0) await db.orders.bulkPut(changed);
  });
}
