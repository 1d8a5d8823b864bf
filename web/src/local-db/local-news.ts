import type { LikeOrder } from '#shared/contract/like-order.ts';
import type { AccountChange, PostChange } from '#shared/sync/entities.ts';
import { PAST_DUE } from './entity-shape.ts';
import type { LocalDatabase } from './local-database.ts';
import { listRowsOf, readLocal } from './local-rows.ts';
import { isComplete } from './read-rows.ts';

/** The rows in which something new may have happened. */
export interface LocalNews {
  /** The accounts whose renewal was declined. */
  declined: AccountChange[];
  /** Newest first. */
  posts: PostChange[];
  /** Newest first. */
  orders: LikeOrder[];
}

/** So many newest posts and orders are looked through, whatever the size of the copy. */
const NEWEST = 50;

/** The newest of the copy; undefined until it is whole, because before that everything looks new. */
export async function listLocalNews(db: LocalDatabase): Promise<LocalNews | undefined> {
  return readLocal(db, async (store) => {
    if (!(await isComplete(store, 'post')) || !(await isComplete(store, 'order'))) return undefined;
    return {
      declined: await listRowsOf(store, 'account', { foundBy: PAST_DUE }),
      posts: await listRowsOf(store, 'post', { limit: NEWEST }),
      orders: await listRowsOf(store, 'order', { limit: NEWEST }),
    };
  });
}
