import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import type { Post } from '#shared/contract/post.ts';
import { isFinal } from '#shared/domain/order-state.ts';
import type { Notice } from '#shared/platform.ts';
import { postSentence } from '../../features/dashboard/posts/post-sentence.ts';
import type { Paths } from '../../platform/services.ts';

/** Something worth telling a person who is elsewhere. */
export interface News {
  /** What happened to what: the same news read twice has the same key. */
  key: string;
  notice: Notice;
}

/** A post that detection found, or whose newest order has ended; undefined when there is nothing to tell. */
export function newsOfPost(
  post: Post,
  igUsername: string,
  paths: Pick<Paths, 'receipt'>,
): News | undefined {
  const { order } = post;
  const body = postSentence(post);
  const path = paths.receipt(post.id);
  if (order && isFinal(order.state)) {
    const title = order.state === 'Completed' ? 'Likes delivered' : 'Delivery ended early';
    return { key: `order:${order.id}`, notice: { title: `${title}: @${igUsername}`, body, path } };
  }
  // Posts of the time before the account was connected were read, not detected.
  if (post.detectedAt === null || post.deletedAt !== null) return undefined;
  return {
    key: `post:${post.id}`,
    notice: { title: `New post by @${igUsername}`, body, path },
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
      body: 'Please replace the card, so that its plan can go on.',
      path: paths.billing,
    },
  };
}
