import { AUTOMATIC_POSTS_PER_DAY } from '../delivery/automatic-likes.ts';
import type { DayNumber } from './day-use.ts';

/** Posts that are served before the payment for their days has come: one day's. */
export const POSTS_IN_ADVANCE = AUTOMATIC_POSTS_PER_DAY;

/**
 * The first local day that the next payment is for: the due day, because a month's price pays for as many
 * local days as it has, the day it began on included. Days given back behind a day have moved the due date,
 * and not that day: a pause planned on the due day leaves it unpaid.
 */
export function firstUnpaidDay(dueDay: DayNumber, given: ReadonlySet<DayNumber>): DayNumber {
  let first = dueDay;
  let givenBehind = [...given].filter((day) => day >= dueDay).length;
  while (first - 1 + givenBehind >= dueDay) {
    first -= 1;
    if (given.has(first)) givenBehind += 1;
  }
  return first;
}

/** Posts of a subscription with automatic orders. */
interface ServedPosts {
  /** On the local day its plan began on, since then. */
  onFirstDay: number;
  /** From the first unpaid day on. */
  onUnpaidDays: number;
}

/**
 * How many posts of unpaid days were served in advance of their payment; below 0: so many more are paid. A
 * plan begins and ends at an hour of a day, so its first and its last day share the posts of one day.
 */
export function postsInAdvance({ onFirstDay, onUnpaidDays }: ServedPosts): number {
  return onUnpaidDays - Math.max(0, AUTOMATIC_POSTS_PER_DAY - onFirstDay);
}
