import { addLikeOrder } from '#shared/contract/credits.ts';
import type { Post } from '#shared/contract/post.ts';
import { useCustomer } from '#web/components/customer.ts';
import { usePayment } from '#web/components/use-payment.ts';
import { useServices } from '#web/platform/services.ts';

/** How an order of extra likes ended. */
export type LikesOutcome =
  | { kind: 'ordered'; message: string }
  | { kind: 'refused'; sentence: string }
  /** Nobody knows; ordering again from the same form is the same order. */
  | { kind: 'no_answer'; wasAnswered: boolean };

/**
 * Orders extra likes for a post, once however often it is sent. Credits and the post's purchased
 * likes change here at once (S§4); the next refresh brings the server's own numbers.
 */
export function useOrderLikes(post: Post): (likes: number) => Promise<LikesOutcome> {
  const { state } = useServices();
  const { userId, db, sync } = useCustomer();
  const { pay } = usePayment(addLikeOrder);

  const takeOver = async (likes: number, credits: number): Promise<void> => {
    const { user } = state.getState();
    if (user) state.setState({ user: { ...user, credits } });
    await db.posts
      .where('id')
      .equals(post.id)
      .modify((kept) => {
        kept.totalLikesPurchased += likes;
      });
    sync.wake();
  };

  return async (likes) => {
    const account = state.getState().connectedAccounts.find(({ igId }) => igId === post.igId);
    if (!account) {
      return { kind: 'refused', sentence: 'This post’s account is no longer connected.' };
    }
    const { igUsername } = account;
    const order = { userId, igUsername, postId: post.id, shortCode: post.shortcode, likes };
    const outcome = await pay(order);
    if (outcome.kind === 'no_answer') return outcome;
    if (outcome.kind === 'refused') return { kind: 'refused', sentence: outcome.message };
    await takeOver(likes, outcome.data.credits);
    return { kind: 'ordered', message: outcome.message ?? 'The likes are on their way' };
  };
}
