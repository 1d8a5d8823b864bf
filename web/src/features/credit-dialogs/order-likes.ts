import type { Post } from '#shared/contract/post.ts';
import { likesOrderedSentence } from '#shared/domain/credit-packages.ts';
import { useCustomer } from '#web/components/customer.ts';
import { useServices } from '#web/platform/services.ts';
import { shortTime } from '#web/components/dates.ts';

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
  const { actions } = useCustomer();

  return async (likes) => {
    const account = state.getState().connectedAccounts.find(({ igId }) => igId === post.igId);
    if (!account) {
      return { kind: 'refused', sentence: 'This post’s account is no longer connected.' };
    }
    const { id: postId, igId, shortcode: shortCode, caption } = post;
    const postedAtInWords = shortTime(Date.parse(post.takenAt), platform.timeZone());
    const { igUsername } = account;
    const wish = { igId, igUsername, postId, shortCode, caption, likes, postedAtInWords };
    try {
      const outcome = await actions.orderLikes(wish);
      if (outcome.kind === 'refused') return { kind: 'refused', sentence: outcome.message };
      if (outcome.kind === 'queued') return outcome;
      return { kind: 'ordered', message: likesOrderedSentence(likes) };
    } catch (error) {
      platform.report('An order could not be queued', error);
      return { kind: 'not_kept' };
    }
  };
}
