import { type Selectable, sql } from 'kysely';
import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import {
  type InvoiceTable,
  OPEN_STATES,
  type PlanChangeCheckout,
  type RenewalCheckout,
} from '#server/kit/db/tables/charge.table.ts';
import type { SubscriptionRow } from './subscription.repository.ts';
import type { SubscriptionKey } from './subscription-work.repository.ts';

export type InvoiceRow = Selectable<InvoiceTable>;

/** The invoice of a charge, which is never deleted. */
export function getInvoice(
  db: Db,
  workspaceId: WorkspaceId,
  invoiceId: string,
): Promise<InvoiceRow> {
  return db
    .selectFrom('invoice')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', invoiceId)
    .executeTakeFirstOrThrow();
}

/** The renewal that a subscription owes; undefined when it is paid up. */
export function findOwedRenewal(db: Db, row: SubscriptionRow): Promise<InvoiceRow | undefined> {
  return db
    .selectFrom('invoice')
    .selectAll()
    .where('workspace_id', '=', row.workspace_id)
    .where('subscription_id', '=', row.id)
    .where('subscription_version', '=', row.subscription_version)
    .where('period', '>', row.period)
    .where('paid_at', 'is', null)
    .executeTakeFirst();
}

/** A renewal that its bank wants the customer to confirm. */
export interface RenewalToConfirm {
  accountId: AccountId;
  igUsername: string | null;
  amountCents: number;
  pastDueSince: Date;
  /** Its payment, or another one of its subscription, is being decided. */
  isBeingCharged: boolean;
}

/**
 * The renewals of past-due subscriptions (or of this one) that their bank wants the customer to confirm before it
 * pays: it said so when the saved card was charged the last time without them. The oldest first.
 */
export async function listToConfirm(
  db: Db,
  workspaceId: WorkspaceId,
  of: { cardId: string; subscriptionId?: string },
): Promise<RenewalToConfirm[]> {
  const { cardId, subscriptionId = null } = of;
  const { rows } = await sql<RenewalToConfirm>`
    select s.account_id as "accountId", a.ig_username as "igUsername", i.amount_cents as "amountCents",
      s.past_due_since as "pastDueSince", exists (
        select from invoice o join charge c on c.workspace_id = o.workspace_id and c.invoice_id = o.id
        where o.workspace_id = s.workspace_id and o.subscription_id = s.id
          and c.state = any(${[...OPEN_STATES]}::text[])) as "isBeingCharged"
    from subscription s
    join invoice i on i.workspace_id = s.workspace_id and i.subscription_id = s.id
      and i.subscription_version = s.subscription_version and i.period > s.period and i.paid_at is null
    left join account a on a.workspace_id = s.workspace_id and a.id = s.account_id
    where s.workspace_id = ${workspaceId} and s.state = 'Past due'
      and (${subscriptionId}::uuid is null or s.id = ${subscriptionId}::uuid)
      and (select c.decline_code = 'authentication_required' and c.card_id = ${cardId}::uuid
        from charge c where c.workspace_id = i.workspace_id and c.invoice_id = i.id and not c.is_present
        order by c.created_at desc, c.id desc limit 1)
    order by s.created_at, s.id`.execute(db);
  return rows;
}

/** Whether a card was asked to pay an invoice. */
export async function isChargedTo(
  db: Db,
  { workspace_id: workspaceId, id }: Pick<InvoiceRow, 'workspace_id' | 'id'>,
  cardId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('charge')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('invoice_id', '=', id)
    .where('card_id', '=', cardId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Writes what is owed for a period; the period must have no invoice yet. */
export async function insertInvoice(
  tx: Tx,
  invoice: SubscriptionKey & {
    id: string;
    version: number;
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
      subscription_version: invoice.version,
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
