import { sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { KeptCard } from '../disputes/disputed-card.repository.ts';
import type { ChargeState, ChargeTable, Checkout, NoChargeCode } from './charge.table.ts';

export interface ChargeKey {
  workspaceId: string;
  chargeId: string;
}

/** The right to work on a charge until its `next_check_at`; an older fence has been overtaken. */
export interface ChargeClaim extends ChargeKey {
  fence: number;
}

/** States in which nobody knows yet whether the customer has paid. */
export const OPEN_STATES = ['created', 'sent', 'unknown'] as const satisfies ChargeState[];

export interface ChargeStanding {
  state: ChargeState;
  declineCode: NoChargeCode | null;
  /** It bought nothing: its money goes back. */
  isReturned: boolean;
}

/** A charge with all that collecting it takes, as far as it is left. */
export interface ChargeCase extends ChargeKey, ChargeStanding, KeptCard {
  gatewayKey: string;
  gatewayChargeId: string | null;
  amountCents: number;
  createdAt: Date;
  invoiceId: string;
  description: string;
  checkout: Checkout;
  cardId: string;
  paymentMethodId: string;
  /** At the gateway; null: neither we nor a deletion under way know it any more. */
  customerId: string | null;
  /** Whoever was to pay has deleted their account. */
  isAbandoned: boolean;
}

export async function findCharge(db: Db, key: ChargeKey): Promise<ChargeCase | undefined> {
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
    .leftJoin('gateway_customer', 'gateway_customer.workspace_id', 'charge.workspace_id')
    .leftJoin('card_detachment', 'card_detachment.workspace_id', 'charge.workspace_id')
    .select(({ fn }) => [
      'charge.workspace_id as workspaceId',
      'charge.id as chargeId',
      'charge.state',
      'charge.decline_code as declineCode',
      'charge.gateway_key as gatewayKey',
      'charge.gateway_charge_id as gatewayChargeId',
      'charge.amount_cents as amountCents',
      'charge.created_at as createdAt',
      'charge.is_returned as isReturned',
      'charge.invoice_id as invoiceId',
      'invoice.description',
      'invoice.checkout',
      'charge.card_id as cardId',
      'card.payment_method_id as paymentMethodId',
      'card.fingerprint',
      'card.brand',
      'card.last_digits',
      'card.exp_month',
      'card.exp_year',
      fn
        .coalesce('gateway_customer.gateway_customer_id', 'card_detachment.gateway_customer_id')
        .as('customerId'),
      sql<boolean>`not exists (
        select from app_user where app_user.workspace_id = charge.workspace_id)`.as('isAbandoned'),
    ])
    .where('charge.workspace_id', '=', key.workspaceId)
    .where('charge.id', '=', key.chargeId)
    .executeTakeFirst();
}

/** Whether a payment for this account is still being decided. */
export async function hasOpenCharge(
  db: Db,
  workspaceId: string,
  accountId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('charge')
    .innerJoin('invoice', (join) =>
      join
        .onRef('invoice.workspace_id', '=', 'charge.workspace_id')
        .onRef('invoice.id', '=', 'charge.invoice_id'),
    )
    .select('charge.id')
    .where('charge.workspace_id', '=', workspaceId)
    .where('charge.state', 'in', OPEN_STATES)
    .where(sql<string>`invoice.checkout ->> 'accountId'`, '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes up to `most` charges whose time has come, those waiting longest first. */
export async function claimDueCharges(
  db: Db,
  claim: { now: Date; leaseUntil: Date; most: number },
): Promise<ChargeClaim[]> {
  const { rows } = await sql<ChargeClaim>`
    with due as (
      select workspace_id, id from charge
      where next_check_at <= ${claim.now}
      order by next_check_at
      limit ${claim.most}
      for update skip locked
    )
    update charge c set fence = c.fence + 1, next_check_at = ${claim.leaseUntil}
    from due where c.workspace_id = due.workspace_id and c.id = due.id
    returning c.workspace_id as "workspaceId", c.id as "chargeId", c.fence
  `.execute(db);
  return rows;
}

/** Takes one charge when its time has come; undefined while somebody else has it, or it is settled. */
export async function claimCharge(
  db: Db,
  key: ChargeKey,
  claim: { now: Date; leaseUntil: Date },
): Promise<ChargeClaim | undefined> {
  const row = await db
    .updateTable('charge')
    .set((eb) => ({ fence: eb('fence', '+', 1), next_check_at: claim.leaseUntil }))
    .where('workspace_id', '=', key.workspaceId)
    .where('id', '=', key.chargeId)
    .where('next_check_at', '<=', claim.now)
    .returning('fence')
    .executeTakeFirst();
  return row && { ...key, fence: row.fence };
}

/** Writes down that the gateway is about to be asked for the first time; false when overtaken. */
export async function markSent(db: Db, claim: ChargeClaim): Promise<boolean> {
  const row = await db
    .updateTable('charge')
    .set({ state: 'sent' })
    .where('workspace_id', '=', claim.workspaceId)
    .where('id', '=', claim.chargeId)
    .where('fence', '=', claim.fence)
    .where('state', '=', 'created')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The gateway's answer is lost: to be asked again then. Ignored when overtaken or settled. */
export async function markUnknown(db: Db, claim: ChargeClaim, nextCheckAt: Date): Promise<void> {
  await db
    .updateTable('charge')
    .set({ state: 'unknown', next_check_at: nextCheckAt })
    .where('workspace_id', '=', claim.workspaceId)
    .where('id', '=', claim.chargeId)
    .where('fence', '=', claim.fence)
    .where('state', 'in', OPEN_STATES)
    .execute();
}

/** Where a charge stands now, held until the end of the transaction. */
export function lockCharge(
  tx: Tx,
  key: ChargeKey,
): Promise<ChargeStanding & Pick<ChargeClaim, 'fence'>> {
  return tx
    .selectFrom('charge')
    .select(['state', 'decline_code as declineCode', 'is_returned as isReturned', 'fence'])
    .where('workspace_id', '=', key.workspaceId)
    .where('id', '=', key.chargeId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** Settles a locked charge. */
export async function settleCharge(
  tx: Tx,
  key: ChargeKey,
  change: Updateable<ChargeTable>,
): Promise<void> {
  await tx
    .updateTable('charge')
    .set(change)
    .where('workspace_id', '=', key.workspaceId)
    .where('id', '=', key.chargeId)
    .execute();
}
