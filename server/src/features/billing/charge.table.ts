import type { Generated, JSONColumnType } from 'kysely';
import type { CardBrand } from '#shared/domain/card.ts';

/** The workspace's customer at the card gateway. */
export interface GatewayCustomerTable {
  workspace_id: string;
  gateway_customer_id: string;
}

/** A saved card: the gateway's token and what the mask needs; never the number or the CVV (D4). */
export interface CardTable {
  workspace_id: string;
  id: string;
  payment_method_id: string;
  brand: CardBrand;
  last_digits: string;
  /** The gateway's: the same for one card, whoever saves it. */
  fingerprint: Generated<string | null>;
  holder_name: string;
  exp_month: number;
  exp_year: number;
  created_at: Date;
  /** Since when it is for all plans; null: only for what it was entered for. The newest is the saved card. */
  in_use_since: Date | null;
}

/** What a subscription checkout needs again when its charge is settled, however late. */
export interface SubscriptionCheckout {
  kind: 'subscription';
  userId: string;
  subscriptionId: string;
  accountId: string;
  igId: string;
  /** Keyed hash of the network account, where it was shown whose it is (D6). */
  provedAccount?: string;
  /** The new card becomes the saved one. */
  isForAllPlans?: boolean;
  package: number;
  timeZone: string;
  baselineReadAt: string;
  baselinePostIds: string[];
}

/** What a purchase of credits needs again when its charge is settled. */
export interface CreditsCheckout {
  kind: 'credits';
  userId: string;
  /** The new card becomes the saved one. */
  isForAllPlans?: boolean;
  credits: number;
}

/** A further period of a running subscription: the invoice's. */
export interface RenewalCheckout {
  kind: 'renewal';
  subscriptionId: string;
  accountId: string;
}

/** Another plan for a running subscription, from the invoice's era on. */
export interface PlanChangeCheckout {
  kind: 'plan_change';
  subscriptionId: string;
  accountId: string;
  /** The era that was quoted for; over when another change came first. */
  fromEra: number;
  package: number;
}

export type Checkout =
  | SubscriptionCheckout
  | CreditsCheckout
  | RenewalCheckout
  | PlanChangeCheckout;

/** One amount owed once: a period of a subscription, or a pack of credits (then both are null). */
export interface InvoiceTable {
  workspace_id: string;
  id: string;
  subscription_id: string | null;
  period: number | null;
  /** The subscription's era that the period counts in. */
  era: Generated<number>;
  amount_cents: number;
  description: string;
  checkout: JSONColumnType<Checkout>;
  created_at: Date;
  paid_at: Date | null;
}

/**
 * One attempt to collect an invoice.
 *
 *   created ──> sent ──> succeeded
 *                 ├────> declined
 *                 └────> unknown ──> succeeded | declined      (the janitor asks the gateway)
 *
 * `gateway_key` is written before the call. At most one charge per invoice is in another state than
 * declined (unique index), so a lost answer can't lead to a second charge. A success that bought
 * nothing (the account was taken meanwhile) is returned: a row in `refund` takes its money back.
 */
export type ChargeState = 'created' | 'sent' | 'succeeded' | 'declined' | 'unknown';

/** Why nothing was charged: the bank's reasons, then ours. */
export const BANK_DECLINES = [
  'card_declined',
  'insufficient_funds',
  'card_invalid',
  /** A payment with the card is disputed, or was: the gateway isn't asked. */
  'card_disputed',
] as const;
export type BankDecline = (typeof BANK_DECLINES)[number];
export type NoChargeCode =
  | BankDecline
  /** The gateway refused our request as such. */
  | 'rejected'
  /** The gateway knows nothing of it, a day later. */
  | 'never_charged'
  /** Never sent, and too late to send now; or its customer has been deleted. */
  | 'abandoned';

export interface ChargeTable {
  workspace_id: string;
  id: string;
  invoice_id: string;
  card_id: string;
  gateway_key: string;
  gateway_charge_id: string | null;
  amount_cents: number;
  state: ChargeState;
  decline_code: NoChargeCode | null;
  created_at: Date;
  settled_at: Date | null;
  /** It bought nothing, so its refund was written down in the same transaction. */
  is_returned: Generated<boolean>;
  /** When the janitor looks at it next; null once settled. */
  next_check_at: Date | null;
  fence: Generated<number>;
}

/**
 * Where a dispute stands. It only goes on from left to right, whoever brings the news and in which order.
 *
 *   inquiry ──> open ──> lost ──> won      (lost, and won by an appeal)
 */
export const DISPUTE_STATES = ['inquiry', 'open', 'lost', 'won'] as const;
export type DisputeState = (typeof DISPUTE_STATES)[number];

/**
 * A payment that its customer's bank has called back, or only asks about (`inquiry`, which moves no money).
 * What is disputed counts as refunded until it is won.
 */
export interface DisputeTable {
  workspace_id: string;
  /** The gateway's. */
  id: string;
  charge_id: string;
  amount_cents: number;
  state: DisputeState;
  opened_at: Date;
  /** When we heard of it first; of an inquiry that became a dispute, when it became one. */
  heard_at: Date;
  /** When we heard how it was decided. */
  decided_at: Date | null;
  /** When it was first decided: until then no money went back. Null for inquiries. */
  released_at: Generated<Date | null>;
  /** Keyed hash of the card: it buys nothing while a dispute of it is open or lost. Null where the payment bought nothing. */
  card_hash: string | null;
  /** Credits of the payment that were taken; returned when it is won. */
  taken_credits: Generated<number>;
  /** Credits that it took and that a money back has counted since: they don't return when it is won. */
  kept_credits: Generated<number>;
  /** What was owed of the payment, but for money back, and isn't any more since it was lost. */
  cut_cents: Generated<number>;
}

/** One row: how far disputes and refunds have been read at the gateway. */
export interface GatewayReadingTable {
  id: Generated<boolean>;
  read_until: Date;
  /** When a node reads next. */
  next_read_at: Date;
}

/** A line of the customer's transaction history (S§3 creditsTransactions). */
export interface CreditsTransactionTable {
  workspace_id: string;
  id: string;
  charge_id: string;
  card_id: string;
  ig_username: string | null;
  description: string;
  amount_cents: number;
  created_at: Date;
}
