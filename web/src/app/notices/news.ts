import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import type { LikeOrder } from '#shared/contract/like-order.ts';
import type { Post } from '#shared/contract/post.ts';
import { isFinal } from '#shared/domain/order-state.ts';
import type { Notice } from '#shared/platform.ts';
import { orderSentence, postSentence } from '#web/features/posts/grid/post-sentence.ts';
import type { Paths } from '#web/platform/services.ts';

/** Something worth telling a person who is elsewhere. */
export interface News {
  /** What happened to what: the same news read twice has the same key. */
  key: string;
  notice: Notice;
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

/** An order that has ended; undefined before. */
export function newsOfOrder(order: LikeOrder, paths: Pick<Paths, 'receipt'>): News | undefined {
  if (!isFinal(order.state)) return undefined;
  const what = order.state === 'Completed' ? 'Likes delivered' : 'Delivery ended early';
  const target = order.ordered + order.bonus;
  return {
    key: `order:${order.id}`,
    notice: {
      title: `${what}: @${order.igUsername}`,
      body: orderSentence({ ...order, target }),
      path: paths.receipt(order.postId),
    },
  };
}

/** An account whose renewal was declined: told once for each period that could not begin. */
export function newsOfAccount(
  account: ConnectedAccount,
  paths: Pick<Paths, 'billing'>,
): News | undefined {
  if (account.subscriptionState !== 'Past due') return undefined;
  return {
    key: `declined:${account.igUsername}:${account.accountPackageSubsriptionDate ?? ''}`,
    notice: {
      title: `Payment declined: @${account.igUsername}`,
      body: 'Please replace the card to keep your plan.',
      path: paths.billing,
    },
  };
}
