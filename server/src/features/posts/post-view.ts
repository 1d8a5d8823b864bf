import type { Post } from '#shared/contract/post.ts';
import { isFinal } from '#shared/domain/order-state.ts';
import { signImagePath } from '../images/image-path.ts';
import type { PostOrder } from './post-orders.repository.ts';
import type { PostRow } from './post.repository.ts';

interface PostContext {
  igId: string;
  appSecret: string;
  /** The workspace's orders of this post, newest first. */
  orders: readonly PostOrder[];
  /** Likes delivered to it by anybody's orders. */
  deliveredByAll: number;
  /** Otherwise the total of the last reading is all there is to see. */
  seesOrganic: boolean;
}

/**
 * A stored post as the wire shows it: purchased and organic likes apart, in figures that sum up. Between
 * two readings the last pair stands, and the total grows with what is delivered.
 */
export function viewPost(row: PostRow, context: PostContext): Post {
  const { igId, appSecret, orders, deliveredByAll, seesOrganic } = context;
  const automatic = orders.filter(({ kind }) => kind === 'automatic');
  const organic = row.like_count === null ? null : (row.organic_likes ?? row.like_count);
  const total =
    organic === null || !seesOrganic ? row.like_count : organic + deliveredByAll - row.lost_likes;
  return {
    id: row.id,
    igId,
    shortcode: row.shortcode,
    display_url: displayUrl(row, appSecret),
    edge_media_preview_like: { count: total },
    edge_media_to_comment: { count: row.comment_count },
    totalLikesPurchased: orders.filter(({ kind }) => kind === 'credit').reduce(purchased, 0),
    automaticLikes: automatic.reduce(delivered, 0),
    deliveredLikes: orders.reduce(delivered, 0),
    organicLikes: seesOrganic ? organic : null,
    mediaType: row.media_type,
    caption: row.caption,
    permalink: row.permalink,
    takenAt: row.taken_at.toISOString(),
    detectedAt: row.detected_at?.toISOString() ?? null,
    deletedAt: row.deleted_at?.toISOString() ?? null,
    automaticOutcome: row.automatic_outcome,
    order: viewNewest(orders),
  };
}

function displayUrl(row: PostRow, appSecret: string): string {
  const { workspace_id: workspaceId, account_id: accountId, id } = row;
  return `/proxy/${signImagePath(appSecret, { kind: 'post', workspaceId, accountId, id })}`;
}

const delivered = (sum: number, order: PostOrder): number => sum + order.delivered;

/** Ordered minus returned: an order that has ended returns what it didn't deliver. */
function purchased(sum: number, { state, ordered, delivered: done }: PostOrder): number {
  return sum + (isFinal(state) ? Math.min(ordered, done) : ordered);
}

function viewNewest([newest]: readonly PostOrder[]): Post['order'] {
  if (!newest) return null;
  const { id, state, ordered, bonus, delivered: done } = newest;
  return { id, state, target: ordered + bonus, bonus, delivered: done };
}
