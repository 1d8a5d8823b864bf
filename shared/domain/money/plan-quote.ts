import { type BillingClock, daysOfPeriod, dueAt } from './billing-period.ts';
import { type DayNumber, dayUse, tomorrowStart } from './day-use.ts';
import { isUpgrade } from './plans.ts';

/** The least a card can be charged. */
export const LEAST_CHARGE_CENTS = 50;

/** A running subscription and the plan it might change to. */
export interface PlanChange {
  nowMs: number;
  /** Cents a month. */
  oldPriceCents: number;
  newPriceCents: number;
  clock: BillingClock;
  /** Number of the newest period that is paid for. */
  paidPeriod: number;
  /** Local days with posts served in advance of a payment, from the due day on. */
  unpaid: ReadonlySet<DayNumber>;
}

/** What a dearer plan costs now: total = price - unused + unpaid, or the least charge. All in cents. */
interface UpgradeQuote {
  starts: 'now';
  /** Days of the period, counted without shift; a day of the old plan costs its price / these. */
  periodDays: number;
  /** Whole days left after today, and what they are worth. */
  unusedDays: number;
  unusedCents: number;
  /** Days served in advance of the due date's payment, and what they cost. */
  unpaidDays: number;
  unpaidCents: number;
  totalCents: number;
}

/** A plan that costs the same or less follows at the next due date; nothing is paid or given back now. */
interface DowngradeQuote {
  starts: 'next_due_date';
  atMs: number;
  totalCents: 0;
}

export type PlanQuote = UpgradeQuote | DowngradeQuote;

/**
 * What a plan change costs today (D5). Nothing comes back in money, so going up and down in any order never
 * costs less than each plan's price x days used; fractions of a cent are the customer's.
 */
export function planQuote(change: PlanChange): PlanQuote {
  const { nowMs, oldPriceCents, newPriceCents, clock, paidPeriod, unpaid } = change;
  const running = periodAt(clock, paidPeriod, nowMs);
  const nextDueMs = dueAt(clock, running + 1);
  if (!isUpgrade(oldPriceCents, newPriceCents)) {
    return { starts: 'next_due_date', atMs: nextDueMs, totalCents: 0 };
  }
  const periodDays = daysOfPeriod(clock, running);
  const isPaid = running === paidPeriod;
  const unusedDays = isPaid ? Math.min(periodDays, daysAfterToday(nowMs, nextDueMs, clock)) : 0;
  const unpaidDays = unpaid.size;
  const unusedCents = Math.floor((oldPriceCents * unusedDays) / periodDays);
  const unpaidCents = Math.ceil((oldPriceCents * unpaidDays) / periodDays);
  const totalCents = Math.max(LEAST_CHARGE_CENTS, newPriceCents - unusedCents + unpaidCents);
  const quote = { periodDays, unusedDays, unusedCents, unpaidDays, unpaidCents, totalCents };
  return { starts: 'now', ...quote };
}

/** Number of the newest period that has begun. */
function periodAt(clock: BillingClock, from: number, nowMs: number): number {
  let period = from;
  while (dueAt(clock, period + 1) <= nowMs) period += 1;
  return period;
}

function daysAfterToday(nowMs: number, untilMs: number, { timeZone }: BillingClock): number {
  const fromMs = tomorrowStart(nowMs, timeZone);
  return dayUse({ fromMs, untilMs, timeZone, ordered: new Set() }).days;
}
