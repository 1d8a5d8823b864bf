import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { findAccount } from '../accounts/account.repository.ts';
import type { ChargeCase } from '../billing/charge.repository.ts';
import type { RenewalCheckout } from '../billing/charge.table.ts';
import { recordPayment } from '../billing/record-payment.ts';
import type { SubscriptionRow } from '../billing/subscription.repository.ts';
import { findInvoice, type InvoiceRow } from './invoice.repository.ts';
import { periodStart } from './subscription-clock.ts';
import { releaseWaiting } from './waiting-posts.ts';
import { changeSubscription, lockSubscription } from './subscription-work.repository.ts';

/** A charge for a further period. */
export type RenewalCase = ChargeCase & { checkout: RenewalCheckout };

/**
 * Begins the period that a charge has paid for, with the charge locked.
 * @returns false when the subscription ended or changed meanwhile: the money has to go back
 */
export async function renewSubscription(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  paid: RenewalCase,
  now: Date,
): Promise<boolean> {
  const { workspaceId, invoiceId, checkout } = paid;
  const row = await lockSubscription(tx, { workspaceId, ...checkout });
  const invoice = await findInvoice(tx, workspaceId, invoiceId);
  if (!row || !invoice || !owes(row, invoice)) return false;
  await recordSubscriptionPayment(tx, deps, paid, now);
  await beginPeriod(tx, row, invoice.period ?? row.period, now);
  return true;
}

/** Whether a subscription is waiting for this renewal. */
export function owes(row: SubscriptionRow, invoice: InvoiceRow): boolean {
  const isRunning = row.state === 'Active' || row.state === 'Past due';
  return isRunning && row.era === invoice.era && (invoice.period ?? 0) > row.period;
}

/** Writes a payment of a running subscription down. */
export async function recordSubscriptionPayment(
  tx: Tx,
  { ids }: Pick<Deps, 'ids'>,
  paid: ChargeCase & { checkout: { accountId: string } },
  now: Date,
): Promise<void> {
  const account = await findAccount(tx, paid.workspaceId, paid.checkout.accountId);
  const igUsername = account?.ig_username ?? null;
  await recordPayment(tx, paid, { id: ids.uuid(), igUsername, now });
}

/** Begins a paid period of a locked subscription, on its due date, however late the payment came. */
export async function beginPeriod(
  tx: Tx,
  row: SubscriptionRow,
  period: number,
  now: Date,
): Promise<void> {
  await changeSubscription(tx, row, {
    state: 'Active',
    period,
    period_started_at: periodStart(row, period),
    next_billing_at: periodStart(row, period + 1),
    past_due_since: null,
    retry_at: null,
    posts_wait_since: null,
  });
  await releaseWaiting(tx, row, now);
}
