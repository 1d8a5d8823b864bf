import { getPlan } from '#shared/domain/plans.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { findCard } from '../billing/card.repository.ts';
import type { ChargeClaim } from '../billing/charge.repository.ts';
import { insertAttempt } from '../billing/checkout.repository.ts';
import { CHARGE_LEASE_MS } from '../billing/collect-charge.service.ts';
import { describePlan } from '../billing/start-subscription.ts';
import type { SubscriptionRow } from '../billing/subscription.repository.ts';
import { takeNextPackage } from './apply-plan-change.ts';
import {
  findOwedRenewal,
  insertInvoice,
  type InvoiceRow,
  moveInvoice,
} from './invoice.repository.ts';
import { newestPeriod } from './subscription-clock.ts';
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
  const invoice =
    owed?.period === period
      ? { id: owed.id, amountCents: owed.amount_cents }
      : await writeInvoice(tx, deps, row, { period, owed, now });
  return openAttempt(tx, deps, row.workspace_id, invoice, now);
}

/** A due date has come that no invoice is for: the plan chosen for it holds from now on. */
async function writeInvoice(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  before: SubscriptionRow,
  { period, owed, now }: { period: number; owed: InvoiceRow | undefined; now: Date },
): Promise<{ id: string; amountCents: number }> {
  const row = await takeNextPackage(tx, deps, before, now);
  const plan = getPlan(row.package);
  const invoice = { period, amountCents: plan.priceCents, description: describePlan(plan) };
  const id = owed?.id ?? deps.ids.uuid();
  if (owed) await moveInvoice(tx, owed, invoice);
  else {
    const checkout = {
      kind: 'renewal',
      subscriptionId: row.id,
      accountId: row.account_id,
    } as const;
    await insertInvoice(tx, { ...keyOf(row), ...invoice, id, era: row.era, checkout, now });
  }
  return { id, amountCents: plan.priceCents };
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
