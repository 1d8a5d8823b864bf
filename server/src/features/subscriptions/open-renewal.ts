import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { findCard } from '../billing/card.repository.ts';
import type { ChargeClaim } from '../billing/charge.repository.ts';
import { insertAttempt } from '../billing/checkout.repository.ts';
import { CHARGE_LEASE_MS } from '../billing/collect-charge.service.ts';
import type { RenewalCheckout } from '../billing/charge.table.ts';
import { describePlan } from '../billing/start-subscription.ts';
import type { SubscriptionRow } from '../billing/subscription.repository.ts';
import { addToBalance, lockBalance } from './billing-balance.repository.ts';
import { findOwedRenewal, insertInvoice, markPaid, moveInvoice } from './invoice.repository.ts';
import { splitPrice } from './price-split.ts';
import { beginPeriod } from './renew-subscription.ts';
import { newestPeriod, planOf } from './subscription-clock.ts';
import { keyOf } from './subscription-work.repository.ts';

/**
 * Writes what a locked subscription owes for the period that runs now, and an attempt to collect it.
 * One invoice per period (unique), however often this runs; after a declined attempt the same invoice
 * gets another one.
 *
 * @returns the charge, claimed; undefined when nothing is to be charged
 */
export async function openRenewal(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  row: SubscriptionRow,
  now: Date,
): Promise<ChargeClaim | undefined> {
  const period = newestPeriod(row, now);
  if (period === row.period) return undefined;
  const owed = await findOwedRenewal(tx, row);
  if (owed && owed.period !== period) await moveInvoice(tx, owed, period);
  const invoice = owed
    ? { id: owed.id, amountCents: owed.amount_cents }
    : await writeInvoice(tx, deps, row, period, now);
  if (invoice.amountCents === 0) {
    await markPaid(tx, { workspaceId: row.workspace_id, invoiceId: invoice.id }, now);
    await beginPeriod(tx, row, period);
    return undefined;
  }
  return openAttempt(tx, deps, row.workspace_id, invoice, now);
}

async function writeInvoice(
  tx: Tx,
  { ids }: Pick<Deps, 'ids'>,
  row: SubscriptionRow,
  period: number,
  now: Date,
): Promise<{ id: string; amountCents: number }> {
  const id = ids.uuid();
  const { priceCents } = planOf(row.package);
  const balanceCents = await lockBalance(tx, row.workspace_id);
  const { amountCents, balanceUsedCents } = splitPrice(priceCents, balanceCents);
  const checkout: RenewalCheckout = {
    kind: 'renewal',
    subscriptionId: row.id,
    accountId: row.account_id,
  };
  const { era } = row;
  const key = keyOf(row);
  await insertInvoice(tx, {
    ...key,
    id,
    era,
    period,
    amountCents,
    balanceUsedCents,
    description: describePlan(planOf(row.package)),
    checkout,
    now,
  });
  await addToBalance(tx, { ...key, key: `invoice:${id}`, cents: -balanceUsedCents, now });
  return { id, amountCents };
}

/** Writes an attempt to collect an invoice from the saved card. */
export async function openAttempt(
  tx: Tx,
  { ids }: Pick<Deps, 'ids'>,
  workspaceId: string,
  invoice: { id: string; amountCents: number },
  now: Date,
  chargeId = ids.uuid(),
): Promise<ChargeClaim> {
  const card = await findCard(tx, workspaceId);
  if (!card) throw new Error(`Workspace ${workspaceId} has no card to charge`);
  await insertAttempt(tx, {
    workspaceId,
    chargeId,
    invoiceId: invoice.id,
    cardId: card.id,
    amountCents: invoice.amountCents,
    now,
    nextCheckAt: new Date(now.getTime() + CHARGE_LEASE_MS),
  });
  return { workspaceId, chargeId, fence: 0 };
}
