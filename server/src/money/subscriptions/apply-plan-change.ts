import { BASELINE_TOLERANCE_MS } from '#shared/domain/delivery/automatic-likes.ts';
import { dueAt } from '#shared/domain/money/billing-period.ts';
import { dayOf, dayStart } from '#shared/domain/money/day-use.ts';
import { getPlan } from '#shared/domain/money/plans.ts';
import { isRunning } from '#shared/domain/money/subscription-state.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { ChargeCase } from '../charges/charge.repository.ts';
import type { PlanChangeCheckout } from '#server/kit/db/tables/charge.table.ts';
import type { SubscriptionRow } from './subscription.repository.ts';
import { findSharedDay, readUnpaidFrom } from '#server/delivery/automatic/unpaid-posts.ts';
import {
  auditSubscription,
  changeSubscription,
  lockSubscription,
  oweMail,
} from './subscription-work.repository.ts';
import { getInvoice } from './invoice.repository.ts';
import {
  endChosenPlan,
  endPlan,
  firstUnserved,
  holdDecisions,
  supersedePlans,
} from './past-plan.repository.ts';
import { recordSubscriptionPayment } from './renew-subscription.ts';
import { nextPackageAt, paidTimeOf } from './subscription-clock.ts';
import { decideWaiting, payAdvance } from './waiting-post.repository.ts';

/** A charge for a dearer plan. */
type PlanChangeCase = ChargeCase & { checkout: PlanChangeCheckout };

/**
 * Puts the plan into force that a charge has paid for, with the charge locked.
 * @returns false when the subscription ended or changed meanwhile: the money has to go back
 */
export async function applyPlanChange(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  paid: PlanChangeCase,
  now: Date,
): Promise<boolean> {
  const { workspaceId, invoiceId, checkout } = paid;
  const row = await lockSubscription(tx, { workspaceId, ...checkout });
  const invoice = await getInvoice(tx, workspaceId, invoiceId);
  if (!row || !isChangeable(row) || row.subscription_version !== checkout.fromVersion) return false;
  await recordSubscriptionPayment(tx, deps, paid, now);
  await beginVersion(tx, row, {
    version: invoice.subscription_version,
    package: checkout.package,
    at: invoice.created_at,
  });
  const { chargeId } = paid;
  // The audit log says it with the payment, of whoever asked for it.
  await mailChange(tx, deps, { ...row, package: checkout.package }, now, chargeId);
  return true;
}

/** Only a running subscription that isn't stopping changes its plan. */
export function isChangeable(row: SubscriptionRow): boolean {
  return isRunning(row.state) && row.ends_at === null && row.pauses_at === null;
}

/**
 * The dearer plan holds, and its due dates count from when it was ordered, which is the day that its price was
 * computed for, however late the payment became known. Pauses and service credit are behind (D5).
 */
async function beginVersion(
  tx: Tx,
  row: SubscriptionRow,
  { version, package: packageNumber, at }: { version: number; package: number; at: Date },
): Promise<void> {
  const clock = { anchorMs: at.getTime(), timeZone: row.time_zone, shiftDays: 0 };
  const planEndsAt = await readPlanEnd(tx, row, at);
  await endChosenPlan(tx, row, planEndsAt);
  await endPlan(tx, row, planEndsAt, await findSharedDay(tx, paidTimeOf(row)));
  await changeSubscription(tx, row, {
    package: packageNumber,
    next_package: null,
    state: 'Active',
    subscription_version: version,
    last_subscription_version: Math.max(version, row.last_subscription_version),
    anchor_at: at,
    shift_days: 0,
    unlisted_shift_days: 0,
    period: 0,
    period_started_at: at,
    next_billing_at: new Date(dueAt(clock, 1)),
    past_due_since: null,
    retry_at: null,
    posts_wait_since: null,
    ...(row.posts_wait_since && {
      baseline_read_at: new Date(paidFrom(at, row).getTime() + BASELINE_TOLERANCE_MS),
      baseline_post_ids: [],
    }),
  });
  await payAdvance(tx, row);
  await decideWaiting(tx, row, at);
}

/** Posts that waited for a payment are served from today on: the days before are not paid by the new plan. */
function paidFrom(at: Date, { time_zone: timeZone }: SubscriptionRow): Date {
  return new Date(dayStart(dayOf(at.getTime(), timeZone), timeZone));
}

/**
 * The plan before serves posts until the change, and what is served until its payment is known; those of
 * today that wait for a payment are the new one's.
 */
async function readPlanEnd(tx: Tx, row: SubscriptionRow, at: Date): Promise<Date> {
  const { posts_wait_since: since } = row;
  const isWaiting = since !== null && since <= at;
  const from = isWaiting ? Math.max(since.getTime(), paidFrom(at, row).getTime()) : at.getTime();
  return firstUnserved(tx, row, new Date(from));
}

/** A due date has come: the plan that was chosen for it holds from the day on that it pays for, paid or not (D5). */
export async function takeNextPackage(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  row: SubscriptionRow,
  now: Date,
): Promise<SubscriptionRow> {
  if (row.next_package === null) return row;
  const nextBillingAt = nextPackageAt(row);
  const paid = { ...paidTimeOf(row), nextBillingAt };
  await holdDecisions(tx, row);
  const sharedDay = await findSharedDay(tx, paid, getPlan(row.package).likes);
  const unpaidFrom = await readUnpaidFrom(tx, paid);
  await endPlan(tx, row, unpaidFrom, sharedDay);
  await supersedePlans(tx, row, unpaidFrom, now);
  const changed = await changeSubscription(tx, row, {
    package: row.next_package,
    next_package: null,
  });
  await mailChange(tx, deps, changed, now);
  await auditSubscription(tx, changed, { action: 'plan_changed', now });
  return changed;
}

async function mailChange(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  row: SubscriptionRow,
  now: Date,
  chargeId?: string,
): Promise<void> {
  const changed = { kind: 'plan_changed', subscriptionId: row.id, package: row.package } as const;
  const mail = { ...changed, ...(chargeId !== undefined && { chargeId }) };
  await oweMail(tx, deps, row.workspace_id, mail, now);
}
