import type { Stripe } from 'stripe';
import type { CardStore, CardStoreDeps } from './card-store.ts';
import { BILLING_EMPTY, CHARGE_CARD_EMPTY, CHARGE_EMPTY } from './never-filled.ts';
import { metadataOf, secondsOf, textOr } from './row.ts';
import { INTENTS } from './schema.ts';

/** One line of `GET /control/charges`: the gateway's own book, compared by invariant I5. */
export interface ChargeEntry {
  /** The payment intent. */
  id: string;
  amountCents: number;
  idempotencyKey: string | null;
  /** `pending`: neither paid nor refused, a bank or nobody has been asked yet; or given up. */
  status: 'succeeded' | 'declined' | 'pending' | 'canceled';
  refundedCents: number;
  customer: string;
  /** ISO instant. */
  at: string;
}

/** What the gateway took, or tried to. */
export interface Charges {
  /** Of all customers, or of those with this e-mail address. */
  listCharges(email?: string): ChargeEntry[];
  /** By a charge's id; undefined for one that doesn't exist. */
  findCharge(id: string): Stripe.Charge | undefined;
}

/** A payment intent has at most one charge that counts, which is named after it. */
export const chargeIdOf = (intentId: string): string => intentId.replace('pi_', 'ch_');
export const intentIdOf = (chargeId: string): string => chargeId.replace('ch_', 'pi_');

/** The tables must exist. */
export function openCharges({ db }: CardStoreDeps, store: CardStore): Charges {
  const all = db.prepare(`${INTENTS} order by no`);
  const theirs = db.prepare(
    `${INTENTS} where customer in (select id from card_customer where email = ?) order by no`,
  );
  const select = db.prepare(`${INTENTS} where id = ?`);
  const disputed = db.prepare('select 1 from card_dispute where intent = ? limit 1');
  return {
    listCharges: (email) => (email === undefined ? all.all() : theirs.all(email)).map(toEntry),
    findCharge(id) {
      const row = select.get(intentIdOf(id));
      if (!row) return undefined;
      const { status, error, declined_method: declined } = row;
      const isPaid = status === 'succeeded';
      if (!isPaid && error === null && declined === null) return undefined;
      const method = store.findMethod(String(isPaid ? row['method'] : (declined ?? row['method'])));
      const isDisputed = disputed.get(String(row['id'])) !== undefined;
      return showCharge(row, { id, method, isDisputed });
    },
  };
}

function showCharge(
  row: Record<string, unknown>,
  {
    id,
    method,
    isDisputed,
  }: { id: string; method: Stripe.PaymentMethod | undefined; isDisputed: boolean },
): Stripe.Charge {
  const [amount, refunded] = [Number(row['amount']), Number(row['refunded'])];
  const isPaid = row['status'] === 'succeeded';
  return {
    id,
    object: 'charge',
    amount,
    amount_captured: isPaid ? amount : 0,
    amount_refunded: refunded,
    billing_details: method?.billing_details ?? BILLING_EMPTY,
    captured: isPaid,
    created: secondsOf(row['created_at']),
    ...CHARGE_EMPTY,
    currency: String(row['currency']),
    customer: row['customer'] === '' ? null : String(row['customer']),
    description: textOr(row['description'], null),
    disputed: isDisputed,
    metadata: metadataOf(row),
    paid: isPaid,
    payment_intent: String(row['id']),
    payment_method: method?.id ?? String(row['method']),
    payment_method_details: method?.card ? { type: 'card', card: cardDetails(method.card) } : null,
    refunded: isPaid && amount === refunded,
    status: isPaid ? 'succeeded' : 'failed',
  };
}

function cardDetails({
  brand,
  last4,
  exp_month,
  exp_year,
  fingerprint,
  funding,
  country,
  checks,
}: Stripe.PaymentMethod.Card): Stripe.Charge.PaymentMethodDetails.Card {
  const card = { brand, last4, exp_month, exp_year, fingerprint, funding, country, checks };
  return { ...CHARGE_CARD_EMPTY, ...card, fingerprint: fingerprint ?? null, network: brand };
}

function toEntry(row: Record<string, unknown>): ChargeEntry {
  return {
    id: String(row['id']),
    amountCents: Number(row['amount']),
    idempotencyKey: textOr(row['idempotency_key'], null),
    status: stateOf(row),
    refundedCents: Number(row['refunded']),
    customer: String(row['customer']),
    at: new Date(Number(row['created_at'])).toISOString(),
  };
}

function stateOf({ status, error }: Record<string, unknown>): ChargeEntry['status'] {
  if (status === 'succeeded' || status === 'canceled') return status;
  return status === 'requires_payment_method' && error !== null ? 'declined' : 'pending';
}
