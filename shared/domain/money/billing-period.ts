import { dayOf } from './day-use.ts';
import { fromLocal, toLocal } from '../time-zone.ts';

/** What a subscription's due dates are computed from (D5). */
export interface BillingClock {
  anchorMs: number;
  timeZone: string;
  /** Days added by pauses and service credits, each once. */
  shiftDays: number;
}

/**
 * Due date n = anchor + n months + shift days, in the zone frozen at checkout, clamped to a month's
 * last day. Always from the anchor, never from the previous date: chained clamping drifts (31 Jan,
 * 28 Feb, 28 Mar), this doesn't (31 Jan, 28 Feb, 31 Mar). n = 0 is the anchor itself.
 */
export function dueAt(clock: BillingClock, n: number): number {
  const anchor = toLocal(clock.anchorMs, clock.timeZone);
  const months = anchor.year * 12 + (anchor.month - 1) + n;
  const year = Math.floor(months / 12);
  const month = (months % 12) + 1;
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const day = Math.min(anchor.day, lastDay) + clock.shiftDays;
  return fromLocal({ ...anchor, year, month, day }, clock.timeZone);
}

/** Local days of period n, counted without shift (28 to 31): a day of a plan costs its price / these. */
export function daysOfPeriod(clock: BillingClock, n: number): number {
  const unshifted = { ...clock, shiftDays: 0 };
  const { timeZone } = clock;
  return dayOf(dueAt(unshifted, n + 1), timeZone) - dayOf(dueAt(unshifted, n), timeZone);
}
