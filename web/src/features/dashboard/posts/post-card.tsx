import { memo } from 'react';
import { Link } from 'react-router-dom';
import type { Post } from '#shared/contract/post.ts';
import { ApplauseRing } from '#web/components/applause-ring.tsx';
import { AlbumIcon, CommentIcon, VideoIcon } from '#web/components/icons.tsx';
import { ProxyImage } from '#web/components/proxy-image.tsx';
import { StateMark } from '#web/components/state-mark.tsx';
import { useServices } from '#web/platform/services.ts';
import styles from './post-card.module.css';
import { postCounts } from './post-counts.ts';
import { figure, postSentence, totalInWords } from './post-sentence.ts';

/** One post: its picture in the ring, its counts, and what is happening with its likes. */
export const PostCard = memo(function PostCard({
  post,
  isOpen,
  isWide,
  isFirst,
  timeZone,
}: {
  post: Post;
  isOpen: boolean;
  isWide: boolean;
  /** Among the first on the page, so that its picture is not put off. */
  isFirst: boolean;
  timeZone: string;
}) {
  const { paths } = useServices();
  const posted = postedAt(post.takenAt, timeZone);
  const alt = post.caption === '' ? `Post of ${posted}` : post.caption;
  return (
    <li className={styles['card']} data-open={isOpen || undefined} data-post={post.id}>
      <Link
        id={`post-${post.id}`}
        className={styles['link']}
        to={paths.receipt(post.id)}
        state={{ isFromGrid: true }}
        preventScrollReset={isWide}
        aria-label={`Receipt of the post from ${posted}`}
        aria-current={isOpen ? 'true' : undefined}
      >
        <ApplauseRing counts={postCounts(post)}>
          <ProxyImage path={post.display_url} alt={alt} width={320} isEager={isFirst} />
        </ApplauseRing>
        <MediaMarker mediaType={post.mediaType} />
      </Link>
      <div className={styles['head']}>
        <p className={styles['total']}>{totalInWords(post)}</p>
        <p className={styles['comments']}>
          <CommentIcon />
          {figure(post.edge_media_to_comment.count)}
          <span className="visually-hidden"> comments</span>
        </p>
      </div>
      <p className={styles['apart']}>
        <span data-tone="organic">
          {post.organicLikes === null ? 'organic hidden' : `${figure(post.organicLikes)} organic`}
        </span>
        <span data-tone="purchased">{figure(post.deliveredLikes)} delivered</span>
      </p>
      <p className={styles['sentence']}>
        {post.order && <StateMark state={post.order.state} />} {postSentence(post)}
      </p>
      <p className={styles['time']}>{posted}</p>
    </li>
  );
});

function MediaMarker({ mediaType }: { mediaType: Post['mediaType'] }) {
  if (mediaType === 'IMAGE') return null;
  const isVideo = mediaType === 'VIDEO';
  return (
    <span className={styles['marker']}>
      {isVideo ? <VideoIcon /> : <AlbumIcon />}
      <span className="visually-hidden">{isVideo ? 'Video' : 'Album'}</span>
    </span>
  );
}

function postedAt(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
  }).format(Date.parse(instant));
}
