import type { Selectable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { InvoiceTable, PlanChangeCheckout, RenewalCheckout } from '../billing/charge.table.ts';
import type { SubscriptionRow } from '../billing/subscription.repository.ts';
import type { SubscriptionKey } from './subscription-work.repository.ts';

export type InvoiceRow = Selectable<InvoiceTable>;

export function findInvoice(
  db: Db,
  workspaceId: string,
  invoiceId: string,
): Promise<InvoiceRow | undefined> {
  return db
    .selectFrom('invoice')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', invoiceId)
    .executeTakeFirst();
}

/** The renewal that a subscription owes; undefined when it is paid up. */
export function findOwedRenewal(db: Db, row: SubscriptionRow): Promise<InvoiceRow | undefined> {
  return db
    .selectFrom('invoice')
    .selectAll()
    .where('workspace_id', '=', row.workspace_id)
    .where('subscription_id', '=', row.id)
    .where('era', '=', row.era)
    .where('period', '>', row.period)
    .where('paid_at', 'is', null)
    .executeTakeFirst();
}

/** Writes what is owed for a period; the period must have no invoice yet. */
export async function insertInvoice(
  tx: Tx,
  invoice: SubscriptionKey & {
    id: string;
    era: number;
    period: number;
    amountCents: number;
    description: string;
    checkout: RenewalCheckout | PlanChangeCheckout;
    now: Date;
  },
): Promise<void> {
  await tx
    .insertInto('invoice')
    .values({
      workspace_id: invoice.workspaceId,
      id: invoice.id,
      subscription_id: invoice.subscriptionId,
      era: invoice.era,
      period: invoice.period,
      amount_cents: invoice.amountCents,
      description: invoice.description,
      checkout: JSON.stringify(invoice.checkout),
      created_at: invoice.now,
      paid_at: null,
    })
    .execute();
}

/** An unpaid renewal that stood through downtime is for the period that runs now, and for its plan. */
export async function moveInvoice(
  tx: Tx,
  { workspace_id: workspaceId, id }: InvoiceRow,
  to: { period: number; amountCents: number; description: string },
): Promise<void> {
  await tx
    .updateTable('invoice')
    .set({ period: to.period, amount_cents: to.amountCents, description: to.description })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}
