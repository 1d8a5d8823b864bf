import type { Post } from '#shared/contract/post.ts';
import { isFinal } from '#shared/domain/order-state.ts';
import type { ApplauseCounts } from '#web/components/applause.ts';

/** What a post's ring is filled with: an ended order waits for nothing more. */
export function postCounts(post: Post): ApplauseCounts {
  const { order, deliveredLikes } = post;
  const awaited = order && !isFinal(order.state) ? Math.max(0, order.target - order.delivered) : 0;
  return {
    organic: post.organicLikes,
    delivered: deliveredLikes,
    target: deliveredLikes + awaited,
  };
}
