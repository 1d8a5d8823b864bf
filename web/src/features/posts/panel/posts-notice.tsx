import { Button } from '@mantine/core';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { useOnline } from '#web/platform/use-online.ts';
import type { PostsView } from '../grid/grid-view.ts';
import styles from './posts-notice.module.css';

/** Stands in the place of the posts while there are none to show. */
export function PostsNotice({ view }: { view: Exclude<PostsView, { kind: 'posts' }> }) {
  const isOnline = useOnline();
  switch (view.kind) {
    case 'waiting':
      return (
        <div className={styles['notice']} aria-live="polite">
          <LoadingDots />
          <span className="visually-hidden">Loading posts</span>
        </div>
      );
    case 'maintenance':
      return (
        <EmptyState
          scene="offline"
          role="alert"
          title="Site is under maintainance, Please check back soon."
        >
          <p>
            {isOnline
              ? (view.reason ?? 'We can’t load the posts right now. We’ll keep trying.')
              : 'You’re offline. Your posts appear when you’re back online.'}
          </p>
        </EmptyState>
      );
    case 'empty':
      return (
        <EmptyState scene="posts" role="status" title="No posts yet.">
          <p>Post a picture or a video on Instagram. It shows up here automatically.</p>
          <LoadingDots />
        </EmptyState>
      );
    default:
      return view satisfies never;
  }
}

/** A filter that lets no post through. */
export function NoMatch({ isSearching, onClear }: { isSearching: boolean; onClear: () => void }) {
  if (isSearching) {
    return (
      <div className={styles['notice']}>
        <LoadingDots />
        <p>Searching older posts.</p>
      </div>
    );
  }
  return (
    <EmptyState scene="results" title="No matching posts">
      <Button variant="default" onClick={onClear}>
        Show all posts
      </Button>
    </EmptyState>
  );
}

function LoadingDots() {
  return (
    <span className={styles['dots']} aria-hidden="true">
      <span />
      <span />
      <span />
    </span>
  );
}
