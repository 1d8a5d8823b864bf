import type { LikeOrder } from '#shared/contract/accounts/like-order.ts';
import type { PostChange } from '#shared/sync/entities.ts';
import { type AlertRows, alertsOf, readAlertRows } from '#web/customer/alerts/read-alerts.ts';
import { type LocalDatabase, readLocal, watchLocal } from '#web/replica/store/local-database.ts';
import { isComplete, listRowsOf } from '#web/replica/store/read-rows.ts';
import type { ClientState } from '#web/platform/client-state.ts';
import type { Paths, Services } from '#web/platform/services.ts';
import { type News, newsOfAlert, newsOfOrder, newsOfPost } from './news.ts';
import type { Platform } from '#shared/platform.ts';

type Shell = Pick<Platform, 'notify' | 'setBadge' | 'isVisible' | 'onWake'>;

/** Tells a person who is elsewhere what happened, each thing once; what stood there at first is no news. */
interface NoticeBoard {
  /** All news there are to tell at the moment, old and new. */
  show: (news: readonly News[]) => void;
  stop: () => void;
}

/** More at once are told as a number on the icon only. */
const NOTICE_LIMIT = 3;

/** Tells of what the sync brings while the person is elsewhere; returns how to stop. */
export function followNews({ platform, paths, state }: Services, db: LocalDatabase): () => void {
  const board = createNoticeBoard(platform);
  const following = watchLocal(() => listLocalNews(db)).subscribe({
    next: (local) => local && board.show(allNews(local, state.getState(), paths, platform.now())),
    error: (error: unknown) => platform.report('The news could not be read', error),
  });
  return () => {
    following.unsubscribe();
    board.stop();
  };
}

function allNews(
  { alerts, posts, orders }: LocalNews,
  shown: ClientState,
  paths: Paths,
  nowMs: number,
): News[] {
  const { connectedAccounts } = shown;
  const names = new Map(connectedAccounts.map(({ igId, igUsername }) => [igId, igUsername]));
  return [
    ...alertsOf(alerts, shown.user, nowMs).map((alert) => newsOfAlert(alert, paths)),
    ...posts.map((post) => newsOfPost(post, names.get(post.igId), paths)),
    ...orders.map((order) => newsOfOrder(order, paths)),
  ].filter((news) => news !== undefined);
}

/** The rows in which something new may have happened. */
interface LocalNews {
  alerts: AlertRows;
  /** Newest first. */
  posts: PostChange[];
  /** Newest first. */
  orders: LikeOrder[];
}

/** So many newest posts and orders are looked through, whatever the size of the replica. */
const NEWEST = 50;

/** The newest of the replica; undefined until it is whole, because before that everything looks new. */
async function listLocalNews(db: LocalDatabase): Promise<LocalNews | undefined> {
  return readLocal(db, async (store) => {
    if (!(await isComplete(store, 'post')) || !(await isComplete(store, 'order'))) return undefined;
    return {
      alerts: await readAlertRows(store),
      posts: await listRowsOf(store, 'post', { limit: NEWEST }),
      orders: await listRowsOf(store, 'order', { limit: NEWEST }),
    };
  });
}

export function createNoticeBoard(shell: Shell): NoticeBoard {
  let known: ReadonlySet<string> | undefined;
  let untold = 0;
  const seen = (): void => {
    if (!shell.isVisible() || untold === 0) return;
    untold = 0;
    shell.setBadge(0);
  };
  const stop = shell.onWake(seen);
  return {
    show: (all) => {
      const before = known;
      known = new Set([...(before ?? []), ...all.map(({ key }) => key)]);
      if (!before || shell.isVisible()) return;
      const fresh = all.filter(({ key }) => !before.has(key));
      if (fresh.length === 0) return;
      for (const { notice } of fresh.slice(0, NOTICE_LIMIT)) shell.notify(notice);
      untold += fresh.length;
      shell.setBadge(untold);
    },
    stop,
  };
}
