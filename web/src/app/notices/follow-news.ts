import type { LocalDatabase } from '../../local-db/local-database.ts';
import { listLocalNews, type LocalNews } from '../../local-db/local-news.ts';
import { watchLocal } from '../../local-db/watch-local.ts';
import type { ClientState } from '../../platform/client-state.ts';
import type { Paths, Services } from '../../platform/services.ts';
import { type News, newsOfAccount, newsOfOrder, newsOfPost } from './news.ts';
import { createNoticeBoard } from './notice-board.ts';

/** Tells of what the sync brings while the person is elsewhere; returns how to stop. */
export function followNews({ platform, paths, state }: Services, db: LocalDatabase): () => void {
  const board = createNoticeBoard(platform);
  const following = watchLocal(() => listLocalNews(db)).subscribe({
    next: (local) => local && board.show(allNews(local, state.getState(), paths)),
    error: (error: unknown) => platform.report('The news could not be read', error),
  });
  return () => {
    following.unsubscribe();
    board.stop();
  };
}

function allNews(
  { declined, posts, orders }: LocalNews,
  { connectedAccounts }: ClientState,
  paths: Paths,
): News[] {
  const names = new Map(connectedAccounts.map(({ igId, igUsername }) => [igId, igUsername]));
  return [
    ...declined.map((account) => newsOfAccount(account, paths)),
    ...posts.map((post) => newsOfPost(post, names.get(post.igId), paths)),
    ...orders.map((order) => newsOfOrder(order, paths)),
  ].filter((news) => news !== undefined);
}
