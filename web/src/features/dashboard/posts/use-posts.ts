import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useCustomer } from '#web/components/customer.ts';
import { createPostWatch } from '#web/local-db/watch-posts.ts';
import { useServices } from '#web/platform/services.ts';
import { createPostPages, type LoadedPosts } from './post-pages.ts';

/** Read and watched together: a like that arrives makes no more than these read again. */
const PAGE_POSTS = 100;

export interface Posts extends LoadedPosts {
  /** Asks for older posts until at least so many are here. */
  want: (count: number) => void;
}

/** The kept posts of an account, newest first. The one place where rows of posts enter the dashboard. */
export function usePosts(igId: string): Posts {
  const { db } = useCustomer();
  const { platform } = useServices();
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
  const loaded = useSyncExternalStore(pages.subscribe, pages.snapshot);
  return useMemo(() => ({ ...loaded, want: pages.want }), [loaded, pages]);
}
