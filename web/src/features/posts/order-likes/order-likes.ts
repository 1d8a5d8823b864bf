import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import type { Post } from '#shared/contract/accounts/post.ts';
import { likesOrderedSentence } from '#shared/domain/money/credit-packages.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useServices } from '#web/platform/services.ts';
import { shortTime } from '#web/ui/words/dates.ts';
import type { LikesIntent } from '#web/replica/outbox/likes-orders.ts';

/** How an order of extra likes ended. */
export type LikesOutcome =
  | { kind: 'ordered'; message: string }
  /** It waits here, and is sent and checked by the server when that can be reached (D9). */
  | { kind: 'queued' }
  | { kind: 'refused'; sentence: string }
  /** This device couldn't keep it: nothing was ordered. */
  | { kind: 'not_kept' };

/**
 * Orders extra likes for a post, once however often it is sent. Credits and the post's purchased
 * likes change here at once (S§4); the server's own numbers replace them.
 */
export function useOrderLikes(post: Post): (likes: number) => Promise<LikesOutcome> {
  const { state, platform } = useServices();
  const { changes } = useCustomer();

  return async (likes) => {
    const intent = intentFor(post, likes, state.getState().connectedAccounts, platform.timeZone());
    if (!intent) {
      return { kind: 'refused', sentence: 'This post’s account is no longer connected.' };
    }
    try {
      const outcome = await changes.orderLikes(intent);
      if (outcome.kind === 'refused') return { kind: 'refused', sentence: outcome.message };
      if (outcome.kind === 'queued') return outcome;
      return { kind: 'ordered', message: likesOrderedSentence(likes) };
    } catch (error) {
      platform.report('An order could not be queued', error);
      return { kind: 'not_kept' };
    }
  };
}

/** An order for a post as it is queued; undefined when its account is no longer connected. */
export function intentFor(
  { id: postId, igId, shortcode: shortCode, caption, takenAt }: Post,
  likes: number,
  accounts: readonly ConnectedAccount[],
  timeZone: string,
): LikesIntent | undefined {
  const account = accounts.find((one) => one.igId === igId);
  if (!account) return undefined;
  const postedAtInWords = shortTime(Date.parse(takenAt), timeZone);
  const { igUsername } = account;
  return { igId, igUsername, postId, shortCode, caption, likes, postedAtInWords };
}
