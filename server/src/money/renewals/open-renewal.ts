import { getPlan } from '#shared/domain/money/plans.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { findCard } from '../cards/card.repository.ts';
import { type ChargeClaim, insertCharge, type NewCharge } from '../charges/charge.repository.ts';
import { CHARGE_LEASE_MS } from '../charges/charge-clock.ts';
import { describePlan } from '../subscriptions/start-subscription.ts';
import type { SubscriptionRow } from '../subscriptions/subscription.repository.ts';
import { takeNextPackage } from '../subscriptions/apply-plan-change.ts';
import {
  findOwedRenewal,
  insertInvoice,
  type InvoiceRow,
  isChargedTo,
  listToConfirm,
  moveInvoice,
  type RenewalToConfirm,
} from '../subscriptions/invoice.repository.ts';
import { newestPeriod } from '../subscriptions/subscription-clock.ts';
import { keyOf } from '../subscriptions/subscription-work.repository.ts';

/**
 * Writes what a locked subscription owes for the period that runs now, and a charge that collects it.
 * One invoice per period (unique), however often this runs; after a declined charge the same invoice
 * gets another one.
 *
 * @param payer who asks for it, where it isn't the due date
 * @returns the charge, claimed; undefined when nothing is to be charged
 */
export async function openRenewal(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  row: SubscriptionRow,
  now: Date,
  payer: Pick<InvoiceCharge, 'chargeId' | 'presence'> = { presence: 'absent' },
): Promise<ChargeClaim | undefined> {
  const period = newestPeriod(row, now);
  if (period === row.period) return undefined;
  const owed = await findOwedRenewal(tx, row);
  const invoice =
    owed?.period === period
      ? { id: owed.id, amountCents: owed.amount_cents }
      : await writeInvoice(tx, deps, row, { period, owed, now });
  return openInvoiceCharge(tx, deps, row.workspace_id, { ...invoice, ...payer, now });
}

/** Whether the saved card was charged for what a subscription owes, however that ended. */
export async function wasTried(db: Db, row: SubscriptionRow): Promise<boolean> {
  const owed = await findOwedRenewal(db, row);
  const card = await findCard(db, row.workspace_id);
  return owed !== undefined && card !== undefined && (await isChargedTo(db, owed, card.id));
}

/** The renewals of a workspace, or of one subscription, that their bank wants the customer to confirm. */
export async function listRenewalsToConfirm(
  db: Db,
  workspaceId: WorkspaceId,
  subscriptionId?: string,
): Promise<RenewalToConfirm[]> {
  const card = await findCard(db, workspaceId);
  if (!card) return [];
  const of = { cardId: card.id, ...(subscriptionId !== undefined && { subscriptionId }) };
  return listToConfirm(db, workspaceId, of);
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
    await insertInvoice(tx, {
      ...keyOf(row),
      ...invoice,
      id,
      version: row.subscription_version,
      checkout,
      now,
    });
  }
  return { id, amountCents: plan.priceCents };
}

interface InvoiceCharge {
  id: string;
  amountCents: number;
  presence: NewCharge['presence'];
  /** An attempt's id, where one asks for it. */
  chargeId?: string | undefined;
  now: Date;
}

/** Writes a charge that collects an invoice from the saved card. */
export async function openInvoiceCharge(
  tx: Tx,
  { ids }: Pick<Deps, 'ids'>,
  workspaceId: WorkspaceId,
  { id: invoiceId, chargeId = ids.uuid(), now, ...charge }: InvoiceCharge,
): Promise<ChargeClaim> {
  const card = await findCard(tx, workspaceId);
  if (!card) throw new Error(`Workspace ${workspaceId} has no card to charge`);
  await insertCharge(tx, {
    ...charge,
    workspaceId,
    chargeId,
    invoiceId,
    cardId: card.id,
    now,
    nextCheckAt: new Date(now.getTime() + CHARGE_LEASE_MS),
  });
  return { workspaceId, chargeId, fence: 0 };
}
