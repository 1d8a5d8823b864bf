import { createHmac } from 'node:crypto';
import type { MediaType } from '#shared/contract/post.ts';
import {
  automaticAmount,
  type AutomaticOutcome,
  type LikesAmount,
} from '#shared/domain/automatic-likes.ts';
import { nextSlot, type TakenSlot } from '#shared/domain/automatic-slots.ts';
import { findPlan, type Plan } from '#shared/domain/plans.ts';
import { localDay } from '#shared/domain/time-zone.ts';
import { type PlannedPost, type PlansInTime, planOfPost } from './plan-of-post.ts';

/** What a deliverable subscription and its account's settings say. */
export interface LikesTerms extends PlansInTime {
  subscriptionId: string;
  automaticLikes: boolean;
  range: { min: number; max: number } | undefined;
}

export interface PostFacts extends PlannedPost {
  id: string;
  mediaType: MediaType;
}

export type AutomaticDecision =
  | { outcome: Exclude<AutomaticOutcome, 'ordered'> }
  | {
      outcome: 'ordered';
      localDay: string;
      slot: number;
      plan: Plan;
      periodDays: number;
      amount: LikesAmount;
      views: number;
    };

/**
 * Whether a post that is new to a deliverable subscription gets automatic likes (D7).
 * @param secret nobody outside can compute the amount before it is ordered
 */
export function decideAutomatic(
  secret: string,
  terms: LikesTerms,
  post: PostFacts,
  taken: readonly TakenSlot[],
): AutomaticDecision {
  if (!terms.automaticLikes) return { outcome: 'switched_off' };
  const { package: packageNumber, periodDays } = planOfPost(terms, post);
  const plan = findPlan(packageNumber);
  if (!plan) return { outcome: 'no_subscription' };
  const day = localDay(post.takenAt.getTime(), terms.timeZone);
  const slot = nextSlot(post.takenAt.getTime(), terms.timeZone, taken);
  if (slot === undefined) return { outcome: 'daily_limit' };
  const random = postRandom(secret, terms.subscriptionId, post.id);
  const amount = automaticAmount(plan.likes, terms.range, random);
  return {
    outcome: 'ordered',
    localDay: day,
    slot,
    plan,
    periodDays,
    amount,
    views: post.mediaType === 'VIDEO' ? amount.ordered + amount.bonus : 0,
  };
}

/** Numbers in [0, 1) that are the same whenever, and wherever, this post is decided. */
export function postRandom(secret: string, subscriptionId: string, postId: string): () => number {
  let draws = 0;
  return () => {
    draws += 1;
    const seed = `likes:${subscriptionId}:${postId}:${draws}`;
    return createHmac('sha256', secret).update(seed).digest().readUIntBE(0, 6) / 2 ** 48;
  };
}
