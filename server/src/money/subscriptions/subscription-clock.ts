import { type BillingClock, dueAt } from '#shared/domain/money/billing-period.ts';
import { dayOf, dayStart } from '#shared/domain/money/day-use.ts';
import { DAY_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import { getPlan, type Plan } from '#shared/domain/money/plans.ts';
import type { SubscriptionRow } from './subscription.repository.ts';
import type { PaidTime } from '#server/delivery/automatic/unpaid-posts.ts';

/** Every date of a subscription is computed here, from its row alone (D5). */

/** The day of the checkout is the first of them. */
const MONEY_BACK_DAYS = 30;
const REMIND_BEFORE_MS = 3 * DAY_MS;
/** A declined renewal is tried again so long after the first refusal. */
export const FIRST_RETRY_MS = 1 * DAY_MS;
const RETRY_AFTER_MS = [FIRST_RETRY_MS, 3 * DAY_MS, 5 * DAY_MS];

/** As far as a subscription says which of its days are paid. */
export function paidTimeOf(row: SubscriptionRow): PaidTime {
  return {
    workspaceId: row.workspace_id,
    subscriptionId: row.id,
    igId: row.ig_id,
    anchorAt: row.anchor_at,
    nextBillingAt: row.next_billing_at,
    shiftDays: row.shift_days,
    timeZone: row.time_zone,
    endsAt: row.ends_at,
  };
}

type Dated = Pick<SubscriptionRow, 'anchor_at' | 'time_zone' | 'shift_days'>;

export function clockOf(row: Dated): BillingClock {
  return {
    anchorMs: row.anchor_at.getTime(),
    timeZone: row.time_zone,
    shiftDays: row.shift_days,
  };
}

/** When period n begins. */
export function periodStart(row: Dated, period: number): Date {
  return new Date(dueAt(clockOf(row), period));
}

/** When the plan chosen for the next due date begins; while a period is unpaid, the one after it. */
export function nextPackageAt(
  row: Dated & Pick<SubscriptionRow, 'state' | 'period' | 'next_billing_at'>,
): Date {
  return row.state === 'Past due' ? periodStart(row, row.period + 2) : row.next_billing_at;
}

/** The plan from the next due date on. */
export function comingPlan(row: Pick<SubscriptionRow, 'package' | 'next_package'>): Plan {
  return getPlan(row.next_package ?? row.package);
}

/** The newest period that has begun by now: after downtime only this one is charged, never a burst. */
export function newestPeriod(row: SubscriptionRow, now: Date): number {
  let period = row.period;
  while (periodStart(row, period + 1) <= now) period += 1;
  return period;
}

/**
 * The last moment at which money of a new subscription can be asked back: its 30th local day ends then, not
 * counting those on which a dispute kept it from being asked for.
 */
export function moneyBackUntil({
  created_at: createdAt,
  time_zone: timeZone,
  disputed_days: disputedDays,
}: Pick<SubscriptionRow, 'created_at' | 'time_zone' | 'disputed_days'>): Date {
  const firstDay = dayOf(createdAt.getTime(), timeZone);
  return new Date(dayStart(firstDay + MONEY_BACK_DAYS + disputedDays, timeZone) - 1);
}

/** When the reminder of a due date is mailed. */
export function reminderAt(nextBillingAt: Date): Date {
  return new Date(nextBillingAt.getTime() - REMIND_BEFORE_MS);
}

/** When a card declined since then is tried next; undefined: it has been tried often enough. */
export function nextRetryAt(pastDueSince: Date, now: Date): Date | undefined {
  return RETRY_AFTER_MS.map((afterMs) => new Date(pastDueSince.getTime() + afterMs)).find(
    (at) => at > now,
  );
}

/** When a plan whose renewal isn't paid ends at the latest. */
export function lastTryAt(pastDueSince: Date): Date {
  return new Date(pastDueSince.getTime() + Math.max(...RETRY_AFTER_MS));
}

/**
 * Whether a plan has had all its tries and is about to end. A payment that its customer only begins then would keep
 * it from ending, one after the other, for as long as they like.
 */
export function isPayableNoMore(
  { past_due_since: since }: Pick<SubscriptionRow, 'past_due_since'>,
  now: Date,
): boolean {
  return since !== null && lastTryAt(since) <= now;
}

/** When there is something to do next; null once the subscription has ended. */
export function nextActionAt(row: Omit<SubscriptionRow, 'next_action_at'>): Date | null {
  switch (row.state) {
    case 'Canceled':
    case 'Expired':
      return null;
    case 'Paused':
      return row.resumes_at;
    case 'Past due':
      return row.retry_at;
    case 'Active':
      break;
  }
  const due = isReminded(row) ? row.next_billing_at : reminderAt(row.next_billing_at);
  const next = row.ends_at ?? due;
  return row.pauses_at && pauseBeginsAt(row.pauses_at) < next ? pauseBeginsAt(row.pauses_at) : next;
}

/** When the next charge really is: a due date inside a pause is charged at its end. */
export function nextChargeAt({
  next_billing_at: due,
  resumes_at: pausedUntil,
}: Pick<SubscriptionRow, 'next_billing_at' | 'resumes_at'>): Date {
  return pausedUntil && pausedUntil > due ? pausedUntil : due;
}

/** The last posts of the day before are found by then. */
const PAUSE_SETTLES_MS = MINUTE_MS;

/** From when on a paused account isn't polled. */
export function pauseBeginsAt(pausesAt: Date): Date {
  return new Date(pausesAt.getTime() + PAUSE_SETTLES_MS);
}

export function isReminded(
  row: Pick<SubscriptionRow, 'reminded_for' | 'next_billing_at'>,
): boolean {
  return row.reminded_for?.getTime() === row.next_billing_at.getTime();
}
