import { sql, type Updateable } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { claimDue, type Lease, RAISE_FENCE } from '#server/kit/db/claim-due.ts';
import { selectCharges } from '#server/kit/db/select-charges.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import { type ChargedCard, insertCard } from '../cards/card.repository.ts';
import type { KeptCard } from '../cards/disputed-card.repository.ts';
import {
  ASKED_STATES,
  type ChargeState,
  type ChargeTable,
  type Checkout,
  type NoChargeCode,
} from '#server/kit/db/tables/charge.table.ts';

export interface ChargeKey {
  workspaceId: WorkspaceId;
  chargeId: string;
}

/** The right to work on a charge until its `next_check_at`; an older fence has been overtaken. */
export interface ChargeClaim extends ChargeKey {
  fence: number;
}

export interface ChargeStatus {
  state: ChargeState;
  declineCode: NoChargeCode | null;
  /** It bought nothing: its money goes back. */
  isReturned: boolean;
}

/** Why a purchase won't be: the bank said no (or nothing was sent), or its money is on its way back. */
export type Unpaid = { kind: 'declined'; code: NoChargeCode } | { kind: 'returned' };

/** A payment that a bank or the gateway's dashboard can do something with. */
export interface PaidCharge extends ChargeKey, KeptCard {
  amountCents: number;
  invoiceId: string;
  /** Of a plan's payments. */
  subscriptionId: string | null;
  checkout: Checkout;
  /** It bought nothing, and goes back. */
  isReturned: boolean;
}

/** Where a charge that isn't settled stands for its customer. */
export interface OpenCharge {
  chargeId: string;
  state: ChargeState;
  amountCents: number;
  createdAt: Date;
  /** Where the customer's bank asks them. */
  actionUrl: string | null;
}

/** A charge with all that collecting it takes, as far as it is left. */
export interface ChargeCase extends ChargeKey, ChargeStatus, OpenCharge, KeptCard {
  gatewayKey: string;
  gatewayChargeId: string | null;
  isPresent: boolean;
  setsUpCard: boolean;
  invoiceId: string;
  description: string;
  checkout: Checkout;
  cardId: string;
  paymentMethodId: string;
  /** At the gateway; null: neither we nor a deletion under way know it any more. */
  customerId: string | null;
  /** Who had it charged; null: a due date has. */
  askedBy: string | null;
  /** Whoever was to pay has deleted their account. */
  isAbandoned: boolean;
}

export async function findCharge(db: Db, key: ChargeKey): Promise<ChargeCase | undefined> {
  return selectCharges(db)
    .leftJoin('member_charge', (join) =>
      join
        .onRef('member_charge.workspace_id', '=', 'charge.workspace_id')
        .onRef('member_charge.charge_id', '=', 'charge.id'),
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
      'charge.is_present as isPresent',
      'charge.sets_up_card as setsUpCard',
      'charge.action_url as actionUrl',
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
      'member_charge.user_id as askedBy',
      sql<boolean>`not exists (
        select from membership where membership.workspace_id = charge.workspace_id)`.as(
        'isAbandoned',
      ),
    ])
    .where('charge.workspace_id', '=', key.workspaceId)
    .where('charge.id', '=', key.chargeId)
    .executeTakeFirst();
}

export interface NewCharge {
  workspaceId: WorkspaceId;
  chargeId: string;
  invoiceId: string;
  card: ChargedCard;
  amountCents: number;
  description: string;
  checkout: Checkout;
  /** The customer is there to be asked by their bank; so that it agrees to later charges, too. */
  presence: 'absent' | 'present' | 'present_sets_up';
  now: Date;
  /** When the janitor resumes it. */
  nextCheckAt: Date;
}

/** Writes a new card, an invoice and its charge, whose gateway key thereby exists before it is used. */
export async function insertPurchase(tx: Tx, charge: NewCharge): Promise<void> {
  const { workspaceId, now, checkout, card } = charge;
  const isPlan = checkout.kind === 'subscription';
  if (card.kind === 'new') {
    await insertCard(tx, { ...card.row, workspace_id: workspaceId, in_use_since: null });
  }
  await tx
    .insertInto('invoice')
    .values({
      workspace_id: workspaceId,
      id: charge.invoiceId,
      subscription_id: isPlan ? checkout.subscriptionId : null,
      period: isPlan ? 0 : null,
      amount_cents: charge.amountCents,
      description: charge.description,
      checkout: JSON.stringify(checkout),
      created_at: now,
      paid_at: null,
    })
    .execute();
  await insertCharge(tx, { ...charge, cardId: card.kind === 'new' ? card.row.id : card.id });
}

/** Writes one charge of an invoice. */
export async function insertCharge(
  tx: Tx,
  charge: Omit<NewCharge, 'card' | 'description' | 'checkout'> & { cardId: string },
): Promise<void> {
  await tx
    .insertInto('charge')
    .values({
      workspace_id: charge.workspaceId,
      id: charge.chargeId,
      invoice_id: charge.invoiceId,
      card_id: charge.cardId,
      gateway_key: `${charge.chargeId}:charge`,
      gateway_charge_id: null,
      amount_cents: charge.amountCents,
      state: 'created',
      decline_code: null,
      is_present: charge.presence !== 'absent',
      sets_up_card: charge.presence === 'present_sets_up',
      created_at: charge.now,
      settled_at: null,
      next_check_at: charge.nextCheckAt,
      fence: 0,
    })
    .execute();
}

/** Charges whose time has come. */
export function claimDueCharges(db: Db, lease: Lease): Promise<ChargeClaim[]> {
  return claimDue(
    db,
    { ...lease, table: 'charge', due: 'next_check_at', set: RAISE_FENCE },
    sql<ChargeClaim>`t.workspace_id as "workspaceId", t.id as "chargeId", t.fence`,
  );
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
    .where('state', 'in', ASKED_STATES)
    .execute();
}

/** Where a charge stands now, held until the end of the transaction. */
export function lockCharge(
  tx: Tx,
  key: ChargeKey,
): Promise<ChargeStatus & Pick<ChargeClaim, 'fence'>> {
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
