import { Dexie } from 'dexie';
import type { Post } from '#shared/contract/post.ts';
import type { LocalDatabase } from './local-database.ts';
import { rowDifference } from './row-difference.ts';

/** A part of an account's posts by the time they were taken, newest first. */
export interface PostWindow {
  /** Only posts taken before this instant. */
  before?: string | undefined;
  /** Only posts taken at this instant or later. */
  from?: string | undefined;
  /** The newest so many of them. */
  limit?: number | undefined;
}

/** The kept posts of an account, newest first; undefined when they were never answered. */
export async function listLocalPosts(
  db: LocalDatabase,
  igId: string,
  { before, from, limit }: PostWindow = {},
): Promise<Post[] | undefined> {
  return db.transaction('r', db.posts, db.meta, async () => {
    const answered = await db.meta.get(answeredKey(igId));
    if (!answered) return undefined;
    const found = postsOf(db, igId, from, before).reverse();
    return (limit === undefined ? found : found.limit(limit)).toArray();
  });
}

export async function findLocalPost(db: LocalDatabase, postId: string): Promise<Post | undefined> {
  return db.posts.get(postId);
}

/**
 * Keeps the newest posts of an account as the server answered them. Older kept posts stay: the
 * answer says nothing about them.
 */
export async function keepNewestPosts(
  db: LocalDatabase,
  igId: string,
  newest: readonly Post[],
): Promise<void> {
  await db.transaction('rw', db.posts, db.meta, async () => {
    const oldest = newest.reduce(
      (found, post) => (post.takenAt < found ? post.takenAt : found),
      newest[0]?.takenAt ?? '',
    );
    const kept = await postsOf(db, igId, oldest).toArray();
    const { changed, gone } = rowDifference(kept, newest, (post) => post.id);
    if (changed.length > 0) await db.posts.bulkPut(changed);
    if (gone.length > 0) await db.posts.bulkDelete(gone);
    const answered = await db.meta.get(answeredKey(igId));
    if (!answered) await db.meta.put({ key: answeredKey(igId), value: true });
  });
}

const answeredKey = (igId: string): string => `posts-answered:${igId}`;

function postsOf(db: LocalDatabase, igId: string, takenFrom = '', takenBefore?: string) {
  return db.posts
    .where('[igId+takenAt]')
    .between([igId, takenFrom], [igId, takenBefore ?? Dexie.maxKey]);
}
