import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import type { LikeOrder } from '#shared/contract/like-order.ts';
import type { PostChange } from '#shared/sync/entities.ts';
import { listAccounts } from './local-accounts.ts';
import type { LocalDatabase } from './local-database.ts';
import { listRowsOf, readLocal } from './local-rows.ts';
import { isComplete } from './read-rows.ts';

/** The rows in which something new may have happened. */
export interface LocalNews {
  accounts: ConnectedAccount[];
  /** Newest first. */
  posts: Array<{ post: PostChange; igUsername: string }>;
  /** Newest first. */
  orders: LikeOrder[];
}

/** So many newest posts and orders are looked through, whatever the size of the copy. */
const NEWEST = 50;

/** The newest of the copy; undefined until it is whole, because before that everything looks new. */
export async function listLocalNews(db: LocalDatabase): Promise<LocalNews | undefined> {
  return readLocal(db, async (store) => {
    if (!(await isComplete(store, 'post')) || !(await isComplete(store, 'order'))) return undefined;
    const accounts = (await listAccounts(store)) ?? [];
    const names = new Map(accounts.map(({ accountId, igUsername }) => [accountId, igUsername]));
    const posts = await listRowsOf(store, 'post', { limit: NEWEST });
    return {
      accounts,
      posts: posts.flatMap((post) => {
        const igUsername = names.get(post.accountId);
        return igUsername === undefined ? [] : [{ post, igUsername }];
      }),
      orders: await listRowsOf(store, 'order', { limit: NEWEST }),
    };
  });
}
