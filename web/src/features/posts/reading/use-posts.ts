import { useEffect, useMemo, useState, useSyncExternalStore, useRef } from 'react';
import type { Post } from '#shared/contract/accounts/post.ts';
import { pageFetch } from '#web/api/page-fetch.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useLocal } from '#web/customer/use-local.ts';
import { useReachable } from '#web/customer/use-reachable.ts';
import { createDexieStore } from '#web/replica/store/local-database.ts';
import {
  findLocalHeldFrom,
  findLocalOlderPosts,
  type OlderPosts,
} from '#web/replica/queries/older-posts.ts';
import { createPostWatch, type PostWatch } from '#web/replica/queries/watch-posts.ts';
import { useServices } from '#web/platform/services.ts';
import { createPostPages, type LoadedPosts } from './post-pages.ts';
import { addLikeSamples, postsToSample } from '#web/replica/queries/samples.ts';

/** Read and watched together: a like that arrives makes no more than these read again. */
const PAGE_POSTS = 100;

interface Posts extends LoadedPosts {
  /** Asks for older posts until at least so many are here. */
  want: (count: number) => void;
  /** The newest orders of the same accounts, read at the same moments (`PostWatch`). */
  watchOrders: PostWatch['watchOrders'];
}

/**
 * The posts of an account, newest first: those kept here, and when they end and more are wanted, those
 * the server has besides. The one place where rows of posts enter the dashboard.
 * @param igId undefined: of all accounts, as far as they are kept here
 */
export function usePosts(igId: string | undefined): Posts {
  const { db } = useCustomer();
  const { platform } = useServices();
  /** Of the account it was asked of alone: all posts of one don't make those of the next one wanted. */
  const [asked, setAsked] = useState({ igId, count: PAGE_POSTS });
  const wanted = asked.igId === igId ? asked.count : PAGE_POSTS;
  const [reading, pages] = useMemo(() => {
    const posts = createPostWatch(db, igId, platform.report);
    return [posts, createPostPages(posts.watch, PAGE_POSTS)] as const;
  }, [db, igId, platform]);
  useEffect(
    () => () => {
      pages.stop();
      reading.stop();
    },
    [pages, reading],
  );
  const { posts, isComplete } = useSyncExternalStore(pages.subscribe, pages.snapshot);
  const older = useSteady(
    useLocal(
      async () => (igId === undefined ? undefined : findLocalOlderPosts(db, igId)),
      [db, igId],
    ),
  );
  const heldFrom = useLocal(() => findLocalHeldFrom(db), [db]);
  const isCut = older !== undefined || (igId === undefined && heldFrom !== undefined);
  const count = posts?.length ?? 0;
  useOlderPosts(isComplete && count < wanted ? older : undefined);
  return useMemo(() => {
    const want = (count: number): void => {
      pages.want(count);
      setAsked((before) => ({
        igId,
        count: before.igId === igId ? Math.max(before.count, count) : count,
      }));
    };
    // None among those kept doesn't mean that there are none.
    const known = isCut && posts?.length === 0 ? undefined : posts && onceEach(posts);
    const { watchOrders } = reading;
    return { posts: known, isComplete: isComplete && !isCut, want, watchOrders };
  }, [igId, reading, pages, posts, isComplete, isCut]);
}

/** A post that stays with a renamed account, or that two workspaces have, is shown once. */
function onceEach(posts: readonly Post[]): readonly Post[] {
  const ids = new Set(posts.map(({ id }) => id));
  return ids.size === posts.length ? posts : posts.filter(({ id }) => ids.delete(id));
}

/** The same object as long as it says the same, however often it is read. */
function useSteady(older: OlderPosts | undefined): OlderPosts | undefined {
  const [held, setHeld] = useState(older);
  if (JSON.stringify(held) === JSON.stringify(older)) return held;
  setHeld(older);
  return older;
}

/** Fetches older posts while some are given; what comes changes what is given. */
function useOlderPosts(older: OlderPosts | undefined): void {
  const { db } = useCustomer();
  const { platform } = useServices();
  const isReachable = useReachable();
  useEffect(() => {
    if (!older || !isReachable) return undefined;
    const leaving = new AbortController();
    const fetchThem = async (): Promise<void> => {
      const [{ fetchOlderPosts }, { createHttpNetwork }] = await Promise.all([
        import('#web/replica/queries/fetch-older-posts.ts'),
        import('#web/replica/network/http-network.ts'),
      ]);
      const network = createHttpNetwork({ baseUrl: platform.apiOrigin, fetch: pageFetch });
      await fetchOlderPosts({ network, store: createDexieStore(db) }, older, leaving.signal);
    };
    fetchThem().catch((error: unknown) => {
      if (!leaving.signal.aborted) platform.report('Older posts could not be fetched', error);
    });
    return () => leaving.abort();
  }, [db, platform, older, isReachable]);
}

/** Keeps how the likes of the posts change while this device watches: the history of their charts. */
export function useLikeSamples(posts: readonly Post[] | undefined): void {
  const { db } = useCustomer();
  const { platform } = useServices();
  const before = useRef<readonly Post[]>(undefined);
  useEffect(() => {
    if (!posts) return;
    const changed = postsToSample(before.current, posts);
    before.current = posts;
    if (changed.length === 0) return;
    const atMs = platform.now();
    const samples = changed.map(
      ({ id, organicLikes, deliveredLikes }) =>
        [id, { atMs, organic: organicLikes, delivered: deliveredLikes }] as const,
    );
    addLikeSamples(db, new Map(samples)).catch((error: unknown) =>
      platform.report('The history of likes could not be kept', error),
    );
  }, [db, platform, posts]);
}
