import type { Quote } from '#shared/contract/money/subscription.ts';
import { dueAt } from '#shared/domain/money/billing-period.ts';
import { tomorrowStart } from '#shared/domain/money/day-use.ts';
import { dollarsFromCents } from '#shared/domain/money/money.ts';
import { type PlanQuote, planQuote } from '#shared/domain/money/plan-quote.ts';
import { getPlan } from '#shared/domain/money/plans.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { SubscriptionRow } from '../subscriptions/subscription.repository.ts';
import { listUnpaidDays } from '#server/delivery/automatic/unpaid-posts.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import {
  type AccountName,
  NOT_PAID_IN_TIME,
  notNow,
  withSubscription,
} from '../cancellation/cancellation.service.ts';
import { clockOf, isPayableNoMore, paidTimeOf } from '../subscriptions/subscription-clock.ts';
import { insertQuote, type QuoteRow } from './plan-quote.repository.ts';
import { refuseSecondPayment } from '../charges/refuse-second-payment.ts';

const GOOD_FOR_MS = 15 * MINUTE_MS;

/**
 * What another plan costs today, to the cent, good for 15 minutes and no longer than this local day.
 * @throws ApiError `not_found`, `subscription_state`, `payment_needs_action`, `payment_unknown`
 */
export function quotePlan(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  name: AccountName,
  packageNumber: number,
): Promise<Quote> {
  return withSubscription(deps, name, async (tx, row, now) => {
    const plan = await priceChange(tx, row, packageNumber, now);
    const endOfDayMs = tomorrowStart(now.getTime(), row.time_zone);
    const quote: QuoteRow = {
      workspace_id: row.workspace_id,
      id: deps.ids.uuid(),
      subscription_id: row.id,
      package: packageNumber,
      subscription_version: row.subscription_version,
      period: row.period,
      state: row.state,
      total_cents: plan.totalCents,
      starts_at: startOf(plan),
      expires_at: new Date(Math.min(now.getTime() + GOOD_FOR_MS, endOfDayMs)),
      used_at: null,
      used_by: null,
    };
    await insertQuote(tx, quote);
    return viewQuote(quote, plan, { row, now });
  });
}

/**
 * What another plan costs as of now, without an offer that could be taken.
 * @throws ApiError `subscription_state`, `payment_needs_action`, `payment_unknown`
 */
export async function priceChange(
  tx: Tx,
  row: SubscriptionRow,
  packageNumber: number,
  now: Date,
): Promise<PlanQuote> {
  await refuseSecondPayment(tx, row.workspace_id, { subscriptionId: row.id });
  checkQuotable(row, packageNumber, now);
  return computeQuote(tx, row, packageNumber, now);
}

/** @throws ApiError `subscription_state` */
function checkQuotable(row: SubscriptionRow, packageNumber: number, now: Date): void {
  if (row.state === 'Paused') throw notNow('This plan is paused. Resume it before you change it.');
  if (row.pauses_at) throw notNow('A pause is scheduled. Undo it before you change the plan.');
  if (row.ends_at) throw notNow('This plan is set to stop. Undo that before you change it.');
  if (row.package === packageNumber) throw notNow('This is already your plan.');
  if (row.next_package === packageNumber)
    throw notNow('You’ve already chosen this plan. It starts on the next due date.');
  if (isPayableNoMore(row, now)) throw notNow(NOT_PAID_IN_TIME);
  if (isJustDue(row, now))
    throw notNow('We’re charging you for the next month right now. Please try again in a minute.');
}

/** Between a due date and its charge; what is planned then would hold a month too early. */
export function isJustDue(row: SubscriptionRow, now: Date): boolean {
  return row.state === 'Active' && row.next_billing_at <= now;
}

/**
 * What the change costs as of now; asked again when it is made, so that nobody pays another day's price.
 * @throws ApiError `subscription_state`: posts were served in advance of a payment, which would be a smaller one
 */
export async function computeQuote(
  tx: Tx,
  row: SubscriptionRow,
  packageNumber: number,
  now: Date,
): Promise<PlanQuote> {
  const unpaid = await listUnpaidDays(tx, paidTimeOf(row));
  const plan = planQuote({
    nowMs: now.getTime(),
    oldPriceCents: getPlan(row.package).priceCents,
    newPriceCents: getPlan(packageNumber).priceCents,
    clock: clockOf(row),
    paidPeriod: row.period,
    unpaid,
  });
  if (plan.starts === 'next_due_date' && row.state === 'Active' && unpaid.size > 0) {
    throw notNow(
      'Posts have already gotten likes in the month that starts today. You can choose a smaller plan once that month is paid for.',
    );
  }
  return plan;
}

export function startOf(plan: PlanQuote): Date | null {
  return plan.starts === 'now' ? null : new Date(plan.atMs);
}

function viewQuote(
  quote: QuoteRow,
  plan: PlanQuote,
  { row, now }: { row: SubscriptionRow; now: Date },
): Quote {
  const clock = { anchorMs: now.getTime(), timeZone: row.time_zone, shiftDays: 0 };
  const nextMs = plan.starts === 'now' ? dueAt(clock, 1) : plan.atMs;
  const parts = plan.starts === 'now' ? plan : NOTHING_TODAY;
  return {
    quoteId: quote.id,
    expiresAt: quote.expires_at.toISOString(),
    packageIndex: quote.package,
    price: getPlan(quote.package).priceVal,
    starts: plan.starts,
    totalToday: dollarsFromCents(quote.total_cents),
    periodDays: parts.periodDays,
    unusedDays: parts.unusedDays,
    unused: dollarsFromCents(parts.unusedCents),
    unpaidDays: parts.unpaidDays,
    unpaid: dollarsFromCents(parts.unpaidCents),
    nextBillingDate: new Date(nextMs).toISOString(),
  };
}

const NOTHING_TODAY = {
  periodDays: 0,
  unusedDays: 0,
  unusedCents: 0,
  unpaidDays: 0,
  unpaidCents: 0,
};
