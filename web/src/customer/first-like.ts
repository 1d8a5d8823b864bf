import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import type { Post } from '#shared/contract/accounts/post.ts';
import { DETECTION_TARGET_SECONDS } from '#shared/domain/delivery/delivery-promise.ts';
import { getPlan, type Plan } from '#shared/domain/money/plans.ts';

/** One of the three steps from payment to the first like, ticked by a fact and by nothing else. */
export interface FirstLikeStep {
  title: string;
  text: string;
  isDone: boolean;
}

type Facts = Pick<Post, 'automaticOutcome' | 'deliveredLikes'>;

/** The steps of a plan that was paid, with what is known of the account's posts. */
export function firstLikeSteps(
  plan: Plan,
  igUsername: string,
  posts: readonly Facts[],
): FirstLikeStep[] {
  const isSpotted = posts.some(({ automaticOutcome }) => automaticOutcome === 'ordered');
  return [
    {
      title: 'Your plan is active.',
      text: `Every new post gets ${plan.description} likes.`,
      isDone: true,
    },
    {
      title: 'Post something.',
      text: isSpotted
        ? 'We spotted your post.'
        : `We’re watching @${igUsername}. Target: ${DETECTION_TARGET_SECONDS} seconds.`,
      isDone: isSpotted,
    },
    {
      title: 'See your first likes arrive.',
      text: 'Each post keeps its own count.',
      isDone: hasFirstLike(posts),
    },
  ];
}

export const hasFirstLike = (posts: readonly Facts[]): boolean =>
  posts.some(({ deliveredLikes }) => deliveredLikes > 0);

/** The plan that waits for an account's next post; undefined where none does. */
export function watchingPlan(account: ConnectedAccount): Plan | undefined {
  const isWatching =
    account.subscriptionState === 'Active' &&
    account.problem === null &&
    account.delivery.automaticLikes;
  return isWatching && account.accountPackageId !== null
    ? getPlan(account.accountPackageId)
    : undefined;
}
