import type { Post } from '#shared/contract/post.ts';
import { useCustomer } from '#web/components/customer.ts';
import { useServices } from '#web/platform/services.ts';
import { wishFor } from './order-likes.ts';

const NOT_KEPT =
  'This device couldn’t save the orders, so nothing was ordered. Free up some space and try again.';

/** Orders likes for each of many posts, all or none; resolves to why nothing was ordered. */
export function useOrderManyLikes(): (
  posts: readonly Post[],
  likes: number,
) => Promise<string | undefined> {
  const { state, platform } = useServices();
  const { actions } = useCustomer();
  return async (posts, likes) => {
    const { connectedAccounts } = state.getState();
    const wishes = posts.flatMap(
      (post) => wishFor(post, likes, connectedAccounts, platform.timeZone()) ?? [],
    );
    if (wishes.length < posts.length)
      return 'One of these posts belongs to an account that’s no longer connected.';
    try {
      const ordered = await actions.orderManyLikes(wishes);
      return ordered.kind === 'refused' ? ordered.message : undefined;
    } catch (error) {
      platform.report('Orders could not be queued', error);
      return NOT_KEPT;
    }
  };
}
