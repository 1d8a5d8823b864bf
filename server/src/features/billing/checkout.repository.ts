import type { Insertable } from 'kysely';
import type { SavedCard } from '../../adapters/stripe/card-gateway.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { CardTable, Checkout } from './charge.table.ts';

export async function findGatewayCustomer(
  db: Db,
  workspaceId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('gateway_customer')
    .select('gateway_customer_id')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return row?.gateway_customer_id;
}

/** Keeps the workspace's customer at the gateway; of two made at once the first one stays. */
export async function keepGatewayCustomer(
  db: Db,
  workspaceId: string,
  customerId: string,
): Promise<void> {
  await db
    .insertInto('gateway_customer')
    .values({ workspace_id: workspaceId, gateway_customer_id: customerId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

type NewCard = Omit<Insertable<CardTable>, 'fingerprint' | 'workspace_id' | 'in_use_since'> & {
  fingerprint: string | null;
};

/** A card that is saved, or a new one; then whether it is to pay for all plans once it has paid. */
export type ChargedCard =
  | { kind: 'saved'; id: string }
  | { kind: 'new'; row: NewCard; isForAllPlans: boolean };

export interface NewCharge {
  workspaceId: string;
  chargeId: string;
  invoiceId: string;
  card: ChargedCard;
  amountCents: number;
  description: string;
  checkout: Checkout;
  now: Date;
  /** When the janitor takes over. */
  nextCheckAt: Date;
}

/** The row of a card as the gateway saved it and the form named it. */
export function newCard(
  id: string,
  saved: SavedCard,
  form: { ccName: string; ccMonth: number; ccYear: number },
  now: Date,
): NewCard {
  return {
    id,
    payment_method_id: saved.paymentMethodId,
    brand: saved.brand,
    last_digits: saved.lastDigits,
    fingerprint: saved.fingerprint ?? null,
    holder_name: form.ccName,
    exp_month: form.ccMonth,
    exp_year: form.ccYear,
    created_at: now,
  };
}

/** Writes a new card, an invoice and its charge, whose gateway key thereby exists before it is used. */
export async function insertCharge(tx: Tx, charge: NewCharge): Promise<void> {
  const { workspaceId, now, checkout, card } = charge;
  const isPlan = checkout.kind === 'subscription';
  if (card.kind === 'new') {
    await tx
      .insertInto('card')
      .values({ ...card.row, workspace_id: workspaceId, in_use_since: null })
      .execute();
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
  await insertAttempt(tx, { ...charge, cardId: card.kind === 'new' ? card.row.id : card.id });
}

/** Writes one attempt to collect an invoice. */
export async function insertAttempt(
  tx: Tx,
  attempt: Omit<NewCharge, 'card' | 'description' | 'checkout'> & { cardId: string },
): Promise<void> {
  await tx
    .insertInto('charge')
    .values({
      workspace_id: attempt.workspaceId,
      id: attempt.chargeId,
      invoice_id: attempt.invoiceId,
      card_id: attempt.cardId,
      gateway_key: `${attempt.chargeId}:charge`,
      gateway_charge_id: null,
      amount_cents: attempt.amountCents,
      state: 'created',
      decline_code: null,
      created_at: attempt.now,
      settled_at: null,
      next_check_at: attempt.nextCheckAt,
      fence: 0,
    })
    .execute();
}
