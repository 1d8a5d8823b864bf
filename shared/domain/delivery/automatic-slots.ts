import { AUTOMATIC_POSTS_PER_DAY } from './automatic-likes.ts';
import { localDay } from '../time-zone.ts';

/** A post that has automatic likes, whoever ordered them, on a local day of its subscription's zone. */
export interface TakenSlot {
  localDay: string;
  slot: number;
  timeZone: string;
  postedAtMs: number;
}

/**
 * The slot of a network account's local day that a new post gets (D7), the lowest that was never given.
 * `taken` holds the slots of the account, and of the subscription, on the days around.
 *
 * A day has four. Where subscriptions in several zones have served one account, the post must be among
 * the first four of its local day in each of these zones, so that a change of zone gains nothing.
 * @returns undefined: none is left
 */
export function nextSlot(
  postedAtMs: number,
  timeZone: string,
  taken: readonly TakenSlot[],
): number | undefined {
  const zones = new Set([timeZone, ...taken.map((each) => each.timeZone)]);
  for (const zone of zones) {
    const day = localDay(postedAtMs, zone);
    const sameDay = taken.filter((each) => localDay(each.postedAtMs, zone) === day);
    if (sameDay.length >= AUTOMATIC_POSTS_PER_DAY) return undefined;
  }
  const day = localDay(postedAtMs, timeZone);
  const given = new Set(taken.filter((each) => each.localDay === day).map(({ slot }) => slot));
  for (let slot = 1; slot <= AUTOMATIC_POSTS_PER_DAY; slot += 1) if (!given.has(slot)) return slot;
  return undefined;
}
