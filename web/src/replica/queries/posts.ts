import type { Post } from '#shared/contract/accounts/post.ts';
import { accountKey, orderOfPostKey } from '../store/entity-shape.ts';
import { type LocalDatabase, readLocal } from '../store/local-database.ts';
import { findPostRow, listRowsOf, rowsAs } from '../store/read-rows.ts';
import type { LikeOrder } from '#shared/contract/accounts/like-order.ts';

/** A part of an account's posts by the time they were taken, newest first. */
export interface PostWindow {
  /** Only posts taken before this instant. */
  before?: string | undefined;
  /** Only posts taken at this instant or later. */
  from?: string | undefined;
  /** The newest so many of them. */
  limit?: number | undefined;
}

/** A post by the network's id, whichever account it stayed with. */
export async function findLocalPost(db: LocalDatabase, postId: string): Promise<Post | undefined> {
  const row = await readLocal(db, (store) => findPostRow(store, postId));
  return row && rowsAs<'post'>([row])[0];
}

/** The captions of an account's posts, or of all, by the network's ids of the posts. */
export async function listLocalCaptions(
  db: LocalDatabase,
  igId: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  const window = igId === undefined ? {} : { foundBy: accountKey('post', igId) };
  const posts = await readLocal(db, (store) => listRowsOf(store, 'post', window));
  return new Map(posts.map(({ id, caption }) => [id, caption]));
}

/** The newest kept posts of all accounts, so many at most. */
export async function listNewestLocalPosts(db: LocalDatabase, limit: number): Promise<Post[]> {
  return readLocal(db, (store) => listRowsOf(store, 'post', { limit }));
}

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
