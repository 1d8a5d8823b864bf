import { dueAt } from '#shared/domain/billing-period.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { ChargeCase } from '../billing/charge.repository.ts';
import type { PlanChangeCheckout } from '../billing/charge.table.ts';
import type { SubscriptionRow } from '../billing/subscription.repository.ts';
import { cleanUpEnded } from './end-subscription.ts';
import { findInvoice } from './invoice.repository.ts';
import { recordSubscriptionPayment } from './renew-subscription.ts';
import { changeSubscription, lockSubscription } from './subscription-work.repository.ts';
import { giveBack, releaseUnpaid } from './unpaid-invoices.ts';

/** A charge for another plan. */
export type PlanChangeCase = ChargeCase & { checkout: PlanChangeCheckout };

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
  const invoice = await findInvoice(tx, workspaceId, invoiceId);
  if (!row || !invoice || !isChangeable(row) || row.era !== checkout.fromEra) return false;
  await recordSubscriptionPayment(tx, deps, paid, now);
  await beginEra(tx, row, { era: invoice.era, package: checkout.package, now });
  return true;
}

/** Only a running subscription that isn't stopping changes its plan. */
export function isChangeable(row: SubscriptionRow): boolean {
  return (row.state === 'Active' || row.state === 'Past due') && row.ends_at === null;
}

/** From now on the new plan: the due dates count from here, pauses and fair days are behind (D5). */
export async function beginEra(
  tx: Tx,
  row: SubscriptionRow,
  change: { era: number; package: number; now: Date },
): Promise<void> {
  const { era, now } = change;
  const clock = { anchorMs: now.getTime(), timeZone: row.time_zone, shiftDays: 0 };
  const changed = await changeSubscription(tx, row, {
    package: change.package,
    state: 'Active',
    era,
    last_era: Math.max(era, row.last_era),
    anchor_at: now,
    shift_days: 0,
    paused_ms: 0,
    period: 0,
    period_started_at: now,
    next_billing_at: new Date(dueAt(clock, 1)),
    past_due_since: null,
    retry_at: null,
  });
  await releaseUnpaid(tx, changed, now);
}

/** A plan change that won't be: what it had taken of the billing balance goes back. */
export async function dropPlanChange(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  charge: PlanChangeCase,
  now: Date,
): Promise<void> {
  const { workspaceId, checkout } = charge;
  const row = await lockSubscription(tx, { workspaceId, ...checkout });
  const invoice = await findInvoice(tx, workspaceId, charge.invoiceId);
  if (!row || !invoice) return;
  await giveBack(tx, invoice, now);
  if (row.state === 'Canceled' || row.state === 'Expired') await cleanUpEnded(tx, deps, row, now);
}
