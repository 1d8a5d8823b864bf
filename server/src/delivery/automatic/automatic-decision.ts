import { createHmac } from 'node:crypto';
import type { MediaType } from '#shared/contract/accounts/post.ts';
import {
  automaticAmount,
  type AutomaticOutcome,
  type LikesAmount,
  UNDECIDED,
} from '#shared/domain/delivery/automatic-likes.ts';
import { nextSlot, type TakenSlot } from '#shared/domain/delivery/automatic-slots.ts';
import { findPlan, type Plan } from '#shared/domain/money/plans.ts';
import { localDay } from '#shared/domain/time-zone.ts';
import type { PostId } from '#shared/domain/ids.ts';
import { type BillingClock, daysOfPeriod } from '#shared/domain/money/billing-period.ts';

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
  if (!plan) return { outcome: UNDECIDED };
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
export function postRandom(secret: string, subscriptionId: string, postId: PostId): () => number {
  let draws = 0;
  return () => {
    draws += 1;
    const seed = `likes:${subscriptionId}:${postId}:${draws}`;
    return createHmac('sha256', secret).update(seed).digest().readUIntBE(0, 6) / 2 ** 48;
  };
}

/** A plan that a subscription has had, and until when. */
interface PastPlan {
  untilMs: number;
  package: number;
  periodDays: number;
}

/** The plans of a subscription: those it had, oldest first, the present one, and the one chosen for the due date. */
interface PlansInTime {
  pastPlans: readonly PastPlan[];
  package: number;
  /** Null while it owes a payment: then another plan begins later than at the due date. */
  nextPackage: number | null;
  /** When the first local day begins that the next payment is for. */
  unpaidFrom: Date;
  anchorAt: Date;
  period: number;
  timeZone: string;
}

/** The plan whose likes a post gets, and the days among which its price is shared. */
interface PlanOfPost {
  package: number;
  periodDays: number;
}

/** What says whose likes a post gets. */
interface PlannedPost {
  takenAt: Date;
  /** Served before the payment for its day. */
  isInAdvance: boolean;
}

/**
 * A post gets the plan that held when it was taken, however late it is read: that plan was paid for its day. One that
 * is served in advance gets the plan which the coming payment pays for.
 */
function planOfPost(plans: PlansInTime, { takenAt, isInAdvance }: PlannedPost): PlanOfPost {
  if (isInAdvance) return comingPlan(plans);
  const past = plans.pastPlans.find(({ untilMs }) => takenAt.getTime() < untilMs);
  if (past) return past;
  if (plans.nextPackage !== null && takenAt >= plans.unpaidFrom) return comingPlan(plans);
  return { package: plans.package, periodDays: daysOf(plans, plans.period) };
}

function comingPlan(plans: PlansInTime): PlanOfPost {
  const packageNumber = plans.nextPackage ?? plans.package;
  return { package: packageNumber, periodDays: daysOf(plans, plans.period + 1) };
}

function daysOf({ anchorAt, timeZone }: PlansInTime, period: number): number {
  const clock: BillingClock = { anchorMs: anchorAt.getTime(), timeZone, shiftDays: 0 };
  return daysOfPeriod(clock, period);
}
