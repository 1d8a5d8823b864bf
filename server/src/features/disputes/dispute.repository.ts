import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { ChargeKey } from '../billing/charge.repository.ts';
import type { Checkout, DisputeState, DisputeTable } from '../billing/charge.table.ts';
import type { KeptCard } from './disputed-card.repository.ts';

export type DisputeRow = Selectable<DisputeTable>;

/** A payment that a bank or the gateway's desk can do something with. */
export interface PaidCharge extends ChargeKey, KeptCard {
  amountCents: number;
  invoiceId: string;
  /** Of a plan's payments. */
  subscriptionId: string | null;
  checkout: Checkout;
  /** It bought nothing, and goes back. */
  isReturned: boolean;
}

/** By what the gateway calls it; undefined for what isn't ours, or of which we don't know yet that it was paid. */
export function findPaidCharge(db: Db, gatewayChargeId: string): Promise<PaidCharge | undefined> {
  return db
    .selectFrom('charge')
    .innerJoin('invoice', (join) =>
      join
        .onRef('invoice.workspace_id', '=', 'charge.workspace_id')
        .onRef('invoice.id', '=', 'charge.invoice_id'),
    )
    .innerJoin('card', (join) =>
      join
        .onRef('card.workspace_id', '=', 'charge.workspace_id')
        .onRef('card.id', '=', 'charge.card_id'),
    )
    .select([
      'charge.workspace_id as workspaceId',
      'charge.id as chargeId',
      'charge.amount_cents as amountCents',
      'charge.is_returned as isReturned',
      'charge.invoice_id as invoiceId',
      'invoice.subscription_id as subscriptionId',
      'invoice.checkout',
      'card.fingerprint',
      'card.brand',
      'card.last_digits',
      'card.exp_month',
      'card.exp_year',
    ])
    .where('charge.gateway_charge_id', '=', gatewayChargeId)
    .where('charge.state', '=', 'succeeded')
    .executeTakeFirst();
}

/**
 * Holds a payment until the end of the transaction, so that what its bank, the gateway's desk and money back
 * do with it comes one after the other. Who locks a money back as well does that before.
 */
export async function lockPayment(tx: Tx, { workspaceId, chargeId }: ChargeKey): Promise<void> {
  await tx
    .selectFrom('charge')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', chargeId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** What we know of these already, by the gateway's id. */
export async function listDisputeStates(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DisputeState>> {
  const rows = await db
    .selectFrom('dispute')
    .select(['id', 'state'])
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .execute();
  return new Map(rows.map(({ id, state }) => [id, state]));
}

export function findDispute(
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<DisputeRow | undefined> {
  return tx
    .selectFrom('dispute')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Writes a dispute down as it stands now. */
export async function putDispute(tx: Tx, row: DisputeRow): Promise<void> {
  const { workspace_id: _, id: __, ...change } = row;
  await tx
    .insertInto('dispute')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doUpdateSet(change))
    .execute();
}

/** When the oldest dispute without an end was opened; news of it can come however late. */
export async function findOldestUndecided(db: Db): Promise<Date | undefined> {
  const row = await db
    .selectFrom('dispute')
    .select('opened_at')
    .where('state', 'in', ['inquiry', 'open'])
    .orderBy('opened_at')
    .limit(1)
    .executeTakeFirst();
  return row?.opened_at;
}
