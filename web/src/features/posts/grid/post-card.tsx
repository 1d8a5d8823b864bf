import { memo } from 'react';
import { Link } from 'react-router-dom';
import type { Post } from '#shared/contract/accounts/post.ts';
import { ApplauseRing } from '#web/ui/brand/applause-ring.tsx';
import { AlbumIcon, CommentIcon, PlusIcon, VideoIcon, ViewIcon } from '#web/ui/icons.tsx';
import { ProxyImage } from '#web/customer/pictures/proxy-image.tsx';
import { StateMark } from './state-mark.tsx';
import { WaitingLikes } from '#web/customer/pending-changes/waiting-likes.tsx';
import styles from './post-card.module.css';
import { figure } from '#web/ui/words/figures.ts';
import { captionStart, likeParts, postSentence, totalInWords } from './post-sentence.ts';
import type { PostTimes } from './post-times.ts';
import { cardId } from './use-roving-focus.ts';
import { useLocal } from '#web/customer/use-local.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { listLocalOrders } from '#web/replica/queries/posts.ts';

interface PostCardProps {
  post: Post;
  /** The address of its receipt. */
  receipt: string;
  /** Where posts of several accounts stand together, whose it is. */
  accountName: string | undefined;
  /** 1-based. */
  column: number;
  isOpen: boolean;
  isWide: boolean;
  /** The one card that is in the tab order. */
  isActive: boolean;
  /** Near the top of the page, so that its picture is fetched at once. */
  isEager: boolean;
  /** Why it has no likes stands above it, for all that follow. */
  isSaidAbove: boolean;
  times: PostTimes;
  isSelected: boolean;
  onFocus: (postId: string) => void;
  /** `isRange`: everything since the post chosen last. */
  onSelect: (postId: string, isRange: boolean) => void;
  /** Left out: they may not. */
  onExtraLikes: ((post: Post) => void) | undefined;
}

/** One post: its picture in the ring, its counts, and what is happening with its likes. */
export const PostCard = memo(function PostCard({
  post,
  receipt,
  accountName,
  column,
  isOpen,
  isWide,
  isActive,
  isEager,
  isSaidAbove,
  times,
  isSelected,
  onFocus,
  onSelect,
  onExtraLikes,
}: PostCardProps) {
  const posted = times.posted(post.takenAt);
  const alt = post.caption === '' ? `Post from ${posted}` : post.caption;
  const tabIndex = isActive ? 0 : -1;
  return (
    <div
      role="gridcell"
      aria-colindex={column}
      className={styles['card']}
      data-open={isOpen || undefined}
      data-selected={isSelected || undefined}
      data-post={post.id}
    >
      <Link
        id={cardId(post.id)}
        className={styles['link']}
        to={receipt}
        state={{ isFromGrid: true }}
        preventScrollReset={isWide}
        tabIndex={tabIndex}
        aria-label={`Receipt for the post from ${posted}`}
        aria-current={isOpen ? 'true' : undefined}
        onFocus={() => onFocus(post.id)}
      >
        <ApplauseRing order={post.order}>
          <ProxyImage path={post.display_url} alt={alt} width={320} isEager={isEager} />
        </ApplauseRing>
        <MediaMarker mediaType={post.mediaType} />
      </Link>
      {post.deletedAt === null && (
        <label className={styles['select']}>
          <input
            type="checkbox"
            tabIndex={tabIndex}
            aria-label={`Select the post from ${posted}`}
            checked={isSelected}
            onFocus={() => onFocus(post.id)}
            onChange={({ nativeEvent }) =>
              onSelect(post.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
            }
          />
        </label>
      )}
      <Counts post={post} />
      {post.caption !== '' && (
        <p className={styles['caption']} dir="auto">
          {captionStart(post.caption)}
        </p>
      )}
      {!isSaidAbove && (
        <p className={styles['sentence']}>
          {post.order && <StateMark state={post.order.state} />} {postSentence(post)}
        </p>
      )}
      <WaitingLikes postId={post.id} />
      <div className={styles['foot']}>
        <p className="min-w-0 c-soft text-1">
          {accountName !== undefined && (
            <span className="block c-text font-600 wrap-anywhere">@{accountName}</span>
          )}
          {times.postedInShort(post.takenAt)}
        </p>
        {post.deletedAt === null && onExtraLikes && (
          <button
            type="button"
            className={styles['extra']}
            tabIndex={tabIndex}
            aria-label={`Extra likes for the post from ${posted}`}
            onClick={() => onExtraLikes(post)}
          >
            <PlusIcon />
            Extra likes
          </button>
        )}
      </div>
    </div>
  );
});

function Counts({ post }: { post: Post }) {
  return (
    <>
      <div className="flex justify-between gap-2 items-baseline">
        <p className={styles['total']}>{totalInWords(post)}</p>
        <p className="inline-flex items-center gap-1 c-soft text-1">
          {post.mediaType === 'VIDEO' && <VideoViews postId={post.id} />}
          <CommentIcon />
          {figure(post.edge_media_to_comment.count)}
          <span className="visually-hidden"> comments</span>
        </p>
      </div>
      <p className={styles['apart']}>
        {likeParts(post).map(({ tone, words }) => (
          <span key={words} className="swatch" data-tone={tone}>
            {words}
          </span>
        ))}
      </p>
    </>
  );
}

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

/** The views delivered to a video with its likes; nothing while none were ordered. */
function VideoViews({ postId }: { postId: string }) {
  const { db } = useCustomer();
  const orders = useLocal(() => listLocalOrders(db, postId), [db, postId]);
  const ordered = orders?.some(({ views }) => views > 0) ?? false;
  if (!ordered) return null;
  const delivered = orders?.reduce((sum, { viewsDelivered }) => sum + viewsDelivered, 0) ?? 0;
  return (
    <>
      <ViewIcon />
      {figure(delivered)}
      <span className="visually-hidden"> views delivered</span>
    </>
  );
}
