import type { Post } from '#shared/contract/post.ts';
import { accountKey } from './entity-shape.ts';
import type { LocalDatabase } from './local-database.ts';
import { listRowsOf, readLocal, rowsAs } from './local-rows.ts';
import { findPostRow, isComplete } from './read-rows.ts';

/** A part of an account's posts by the time they were taken, newest first. */
export interface PostWindow {
  /** Only posts taken before this instant. */
  before?: string | undefined;
  /** Only posts taken at this instant or later. */
  from?: string | undefined;
  /** The newest so many of them. */
  limit?: number | undefined;
}

/** The kept posts of an account, newest first; undefined when they were never read. */
export async function listLocalPosts(
  db: LocalDatabase,
  igId: string,
  window: PostWindow = {},
): Promise<Post[] | undefined> {
  return readLocal(db, async (store) => {
    const foundBy = accountKey('post', igId);
    const posts = await listRowsOf(store, 'post', { ...window, foundBy });
    return posts.length > 0 || (await isComplete(store, 'post')) ? posts : undefined;
  });
}

/** A post by the network's id, whichever account it stayed with. */
export async function findLocalPost(db: LocalDatabase, postId: string): Promise<Post | undefined> {
  const row = await readLocal(db, (store) => findPostRow(store, postId));
  return row && rowsAs<'post'>([row])[0];
}
