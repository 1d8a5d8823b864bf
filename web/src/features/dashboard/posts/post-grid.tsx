import { LoadingDots } from '#web/components/loading-dots.tsx';
import { useServices } from '#web/platform/services.ts';
import { useOnline } from '#web/platform/use-online.ts';
import type { GridView } from './grid-view.ts';
import { PostCard } from './post-card.tsx';
import styles from './post-grid.module.css';

export function PostGrid({
  view,
  openPostId,
  isWide,
}: {
  view: GridView;
  openPostId: string | undefined;
  isWide: boolean;
}) {
  const isOnline = useOnline();
  const { platform } = useServices();
  if (view.kind === 'waiting') {
    return (
      <div className={styles['notice']} aria-live="polite">
        <LoadingDots />
        <span className="visually-hidden">Reading the posts</span>
      </div>
    );
  }
  if (view.kind === 'maintenance') {
    return (
      <div className={styles['notice']} role="alert">
        <p className={styles['large']}>Site is under maintainance, Please check back soon.</p>
        <p>
          {isOnline
            ? (view.reason ??
              'The posts can not be read at the moment. We go on trying by ourselves.')
            : 'You are offline. The posts appear when the network is back.'}
        </p>
      </div>
    );
  }
  if (view.kind === 'empty') {
    return (
      <div className={styles['notice']} aria-live="polite">
        <LoadingDots />
        <p className={styles['large']}>No posts yet.</p>
        <p>Publish a picture or a video on Instagram. It appears here by itself.</p>
      </div>
    );
  }
  return (
    <>
      {(view.isStale || !isOnline) && (
        <p className={styles['stale']} aria-live="polite">
          {isOnline
            ? 'The newest numbers can not be read at the moment. You see the last ones; they go on by themselves.'
            : 'You are offline. You see what was last read.'}
        </p>
      )}
      <ol className={styles['grid']} aria-label="Posts, newest first">
        {view.posts.map((post, index) => (
          <PostCard
            key={post.id}
            post={post}
            isOpen={post.id === openPostId}
            isWide={isWide}
            isFirst={index < 4}
            timeZone={platform.timeZone()}
          />
        ))}
      </ol>
    </>
  );
}
