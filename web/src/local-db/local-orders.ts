import type { LikeOrder } from '#shared/contract/like-order.ts';
import { accountKey, orderOfPostKey } from './entity-shape.ts';
import type { LocalDatabase } from './local-database.ts';
import { listRowsOf, readLocal } from './local-rows.ts';

/** The kept orders of a post, newest first. */
export async function listLocalOrders(db: LocalDatabase, postId: string): Promise<LikeOrder[]> {
  return readLocal(db, (store) => listRowsOf(store, 'order', { foundBy: orderOfPostKey(postId) }));
}

/** The kept orders of an account, or of all, newest first. */
export async function listLocalOrdersOf(
  db: LocalDatabase,
  igId: string | undefined,
): Promise<LikeOrder[]> {
  const window = igId === undefined ? {} : { foundBy: accountKey('order', igId) };
  return readLocal(db, (store) => listRowsOf(store, 'order', window));
}
