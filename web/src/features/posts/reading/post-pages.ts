import { Listeners } from '#web/platform/async.ts';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import type { Post } from '#shared/contract/accounts/post.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import type { PostWindow } from '#web/replica/queries/posts.ts';

/** What is known of an account's posts so far. */
export interface LoadedPosts {
  /** Newest first; undefined when none were ever kept. */
  posts: readonly Post[] | undefined;
  /** Whether there are no older ones than these. */
  isComplete: boolean;
}

/** Calls back with the posts of a window now and whenever they change; returns how to stop. */
type WatchPosts = (
  window: PostWindow,
  onPosts: (posts: readonly Post[] | undefined) => void,
) => () => void;

interface Page {
  before: string | undefined;
  /** Undefined while nothing older is known to exist: then the page is the last one. */
  from: string | undefined;
  posts: readonly Post[] | undefined;
  hasAnswered: boolean;
  stop: () => void;
}

interface PostPages {
  snapshot: () => LoadedPosts;
  subscribe: (listener: () => void) => () => void;
  /** Asks for older posts until at least so many are here; `Infinity` for all of them. */
  want: (count: number) => void;
  stop(): void;
}

/**
 * The posts of an account, read page by page and each page watched by itself, so that a like that
 * arrives makes one page read again and not thousands of posts.
 *
 *   the last page is open below ──> holds more than `size` ──> it ends there, the next one opens
 */
export function createPostPages(watch: WatchPosts, size: number): PostPages {
  const listeners = new Listeners<void>();
  const pages: Page[] = [];
  let wanted = size;
  let loaded: LoadedPosts = { posts: undefined, isComplete: false };

  const publish = (): void => {
    loaded = joined(pages);
    listeners.tell();
  };

  const openPage = (before: string | undefined): void => {
    const page: Page = {
      before,
      from: undefined,
      posts: undefined,
      hasAnswered: false,
      stop: nothing,
    };
    pages.push(page);
    page.stop = watch({ before, limit: size + 1 }, (posts) => {
      if (posts && posts.length > size) closePage(page, posts);
      else settle(page, posts);
    });
  };

  /** The page ends with its `size`th post; what is older belongs to the next one. */
  const closePage = (page: Page, posts: readonly Post[]): void => {
    page.stop();
    const from = posts[size - 1]?.takenAt;
    page.from = from;
    settle(page, posts.slice(0, size));
    page.stop = watch({ before: page.before, from }, (now) => settle(page, now));
  };

  const settle = (page: Page, posts: readonly Post[] | undefined): void => {
    page.posts = posts;
    page.hasAnswered = true;
    publish();
    openNext();
  };

  const openNext = (): void => {
    const last = pages.at(-1);
    if (last && (last.from === undefined || !last.hasAnswered)) return;
    if (last && (loaded.posts?.length ?? 0) >= wanted) return;
    openPage(last?.from);
  };

  return {
    snapshot: () => loaded,
    subscribe: (listener) => {
      const stop = listeners.add(listener);
      if (pages.length === 0) openNext();
      return stop;
    },
    want: (count) => {
      wanted = Math.max(wanted, count);
      openNext();
    },
    stop: () => {
      for (const page of pages.splice(0)) page.stop();
    },
  };
}

const nothing = (): void => undefined;

function joined(pages: readonly Page[]): LoadedPosts {
  const last = pages.at(-1);
  const isComplete = last !== undefined && last.hasAnswered && last.from === undefined;
  if (pages[0]?.posts === undefined) return { posts: undefined, isComplete };
  return { posts: pages.flatMap(({ posts }) => posts ?? []), isComplete };
}

/** As many posts a first reading of an account brings; older ones are read after it. */
const FIRST_READING = 100;
/** Thousands of older posts are read within this. */
const READING_MS = 10 * MINUTE_MS;

/** Whether only the first reading of an account with a young plan may be here. */
export function isFirstReading(
  loaded: number,
  accounts: readonly ConnectedAccount[],
  nowMs: number,
): boolean {
  const [account, ...others] = accounts;
  const beganAt = account?.accountPackageSubsriptionDate;
  if (loaded !== FIRST_READING || !beganAt || others.length > 0) return false;
  return nowMs - Date.parse(beganAt) < READING_MS;
}
