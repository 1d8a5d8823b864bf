import type { LikeOrder } from '#shared/contract/accounts/like-order.ts';
import type { Post } from '#shared/contract/accounts/post.ts';
import type { Alert } from '#shared/domain/accounts/alert.ts';
import type { SystemNotice } from '#shared/platform.ts';
import { orderSentence, postSentence } from '#web/features/posts/grid/post-sentence.ts';
import type { Paths } from '#web/platform/services.ts';

/** Something worth telling a person who is elsewhere. */
export interface News {
  /** What happened to what: the same news read twice has the same key. */
  key: string;
  notice: SystemNotice;
}

/**
 * A post that detection found; undefined for one that was only read, or is gone again. Whose it is
 * isn't known yet right after a start.
 */
export function newsOfPost(
  post: Post,
  igUsername: string | undefined,
  paths: Pick<Paths, 'receipt'>,
): News | undefined {
  if (post.detectedAt === null || post.deletedAt !== null) return undefined;
  const title = igUsername === undefined ? 'New post' : `New post by @${igUsername}`;
  return {
    key: `post:${post.id}`,
    notice: { title, body: postSentence(post), path: paths.receipt(post.id) },
  };
}

/** An order that is done; undefined before, and of one that ended early, which is an alert. */
export function newsOfOrder(order: LikeOrder, paths: Pick<Paths, 'receipt'>): News | undefined {
  if (order.state !== 'Completed') return undefined;
  const target = order.ordered + order.bonus;
  return {
    key: `order:${order.id}`,
    notice: {
      title: `Likes delivered: @${order.igUsername}`,
      body: orderSentence({ ...order, target }),
      path: paths.receipt(order.postId),
    },
  };
}

/** What they may have to act on. */
export function newsOfAlert(
  { key, kind, title, sentence, postId }: Alert,
  paths: Pick<Paths, 'alerts' | 'billing' | 'receipt'>,
): News {
  const ofMoney = kind === 'payment_declined' || kind === 'budget_reached';
  const path = postId === undefined ? paths.alerts : paths.receipt(postId);
  return { key, notice: { title, body: sentence, path: ofMoney ? paths.billing : path } };
}
