import { MINUTE_MS } from '../durations.ts';
import { dayOf, dayStart } from '../money/day-use.ts';

/** How automatic likes are decided for a new post (D7). Pure: the caller brings the randomness. */
export const AUTOMATIC_POSTS_PER_DAY = 4;
export const LIKES_RANGE = { min: 10, max: 1000 } as const;
/** A post may be this much older than the baseline read and still be new. */
export const BASELINE_TOLERANCE_MS = 5 * MINUTE_MS;

/** What says which posts are new to a plan. */
interface PlanBeginning {
  baselineReadMs: number;
  createdMs: number;
  timeZone: string;
}

/**
 * When a post that is new to a plan was taken at the soonest: the tolerance before the baseline, and never
 * before the plan's first local day, because no day before it is paid.
 */
export function newPostsFrom({ baselineReadMs, createdMs, timeZone }: PlanBeginning): number {
  const firstDayMs = dayStart(dayOf(createdMs, timeZone), timeZone);
  return Math.max(firstDayMs, baselineReadMs - BASELINE_TOLERANCE_MS);
}

const BONUS_SHARE = 0.3;
export const BONUS_MIN = 0.05;
export const BONUS_MAX = 0.1;

export interface LikesAmount {
  ordered: number;
  /** Free likes on top, 0 on most posts; 5-10 % of `ordered` when there are any. */
  bonus: number;
}

/**
 * The likes of one automatic order. `random` gives numbers in [0, 1), seeded by the order so that a
 * repeated decision is the same decision. With a range the amount is uniform within it, both ends
 * capped at the plan, and there is never a bonus.
 */
export function automaticAmount(
  planLikes: number,
  range: { min: number; max: number } | undefined,
  random: () => number,
): LikesAmount {
  if (range) {
    const min = Math.min(range.min, planLikes);
    const max = Math.min(range.max, planLikes);
    return { ordered: min + Math.floor(random() * (max - min + 1)), bonus: 0 };
  }
  if (random() >= BONUS_SHARE) return { ordered: planLikes, bonus: 0 };
  const low = Math.ceil(planLikes * BONUS_MIN);
  const high = Math.floor(planLikes * BONUS_MAX);
  return { ordered: planLikes, bonus: low + Math.floor(random() * (high - low + 1)) };
}

/** Why a post has, or has not, an automatic order; spelt so on the wire and in the database. */
export const AUTOMATIC_OUTCOMES = [
  'ordered',
  'before_subscription',
  'daily_limit',
  'switched_off',
  'day_given_back',
  'no_subscription',
] as const;
export type AutomaticOutcome = (typeof AUTOMATIC_OUTCOMES)[number];

/**
 * What every post has from its insert until it is decided. It means two things: no paid plan covers
 * the post's day, and the post may still be decided, at the poll after such a plan is there. Where
 * none comes it stays so.
 */
export const UNDECIDED = 'no_subscription' satisfies AutomaticOutcome;
