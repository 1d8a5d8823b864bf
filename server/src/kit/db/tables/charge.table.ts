import type { Generated, JSONColumnType } from 'kysely';
import type { BillingAddress, CardBrand } from '#shared/domain/money/card.ts';
import type { DeclineCode } from '#server/adapters/stripe/card-gateway.ts';
import type { AccountId, IgId, WorkspaceId } from '#shared/domain/ids.ts';

/**
 * A deleted workspace whose cards, and then whose customer, are to go from the gateway.
 *
 *   asked ──> detached ──> detached when no checkout can be under way ──> (no money on its way) deleted: no row
 */
export interface CardDetachmentTable {
  workspace_id: WorkspaceId;
  gateway_customer_id: string;
  asked_at: Date;
  /** When the gateway last said that there are none left. */
  detached_at: Date | null;
  next_attempt_at: Date;
  fence: Generated<number>;
}

/** The workspace's customer at the card gateway. */
export interface GatewayCustomerTable {
  workspace_id: WorkspaceId;
  gateway_customer_id: string;
}

/** A saved card: the gateway's token and what the mask needs; never the number or the CVV (D4). */
export interface CardTable {
  workspace_id: WorkspaceId;
  id: string;
  payment_method_id: string;
  brand: CardBrand;
  last_digits: string;
  /** The gateway's: the same for one card, whoever saves it. */
  fingerprint: Generated<string | null>;
  holder_name: string;
  exp_month: number;
  exp_year: number;
  /** For invoices; null with cards from before there were any. */
  billing_address: JSONColumnType<BillingAddress | null, string | null | undefined>;
  created_at: Date;
  /** Since when it is for all plans; null: only for what it was entered for. The newest is the saved card. */
  in_use_since: Date | null;
  /** When what is kept of it is read at the gateway again: its bank has renewed it. */
  refresh_at: Generated<Date | null>;
}

/** What a subscription checkout needs again when its charge is settled, however late. */
export interface SubscriptionCheckout {
  kind: 'subscription';
  userId: string;
  subscriptionId: string;
  accountId: AccountId;
  igId: IgId;
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
  accountId: AccountId;
}

/** Another plan for a running subscription, from the invoice's version of it on. */
export interface PlanChangeCheckout {
  kind: 'plan_change';
  subscriptionId: string;
  accountId: AccountId;
  /** The version that was quoted for; over when another change came first. */
  fromVersion: number;
  package: number;
}

export type Checkout =
  | SubscriptionCheckout
  | CreditsCheckout
  | RenewalCheckout
  | PlanChangeCheckout;

/** One amount owed once: a period of a subscription, or a pack of credits (then both are null). */
export interface InvoiceTable {
  workspace_id: WorkspaceId;
  id: string;
  subscription_id: string | null;
  period: number | null;
  /** The version of the subscription that the period counts in. */
  subscription_version: Generated<number>;
  amount_cents: number;
  description: string;
  checkout: JSONColumnType<Checkout>;
  created_at: Date;
  paid_at: Date | null;
}

/**
 * One try to collect an invoice; `money/settlement/collect-charge.service.ts` draws its states.
 *
 * `gateway_key` is written before the call. At most one charge per invoice is in another state than
 * declined (unique index), so a lost answer can't lead to a second charge. A success that bought
 * nothing (the account was taken meanwhile) is returned: a row in `refund` takes its money back.
 */
export type ChargeState =
  | 'created'
  | 'sent'
  | 'needs_action'
  | 'succeeded'
  | 'declined'
  | 'unknown';

/** The gateway has been asked, or is about to be, and its answer isn't known. */
export const ASKED_STATES = ['created', 'sent', 'unknown'] as const satisfies ChargeState[];

/** States in which nobody knows yet whether the customer has paid. */
export const OPEN_STATES = [...ASKED_STATES, 'needs_action'] as const satisfies ChargeState[];

/** A definite no of the bank or of its customer. */
export type BankDecline =
  | DeclineCode
  /** A payment with the card is disputed, or was: the gateway isn't asked. */
  | 'card_disputed'
  /** The customer canceled it, instead of confirming it at the bank. */
  | 'given_up'
  /** Nobody confirmed it in time. */
  | 'not_confirmed_in_time';

/** Why nothing was charged: the bank's reasons, then ours. */
export type NoChargeCode =
  | BankDecline
  /** The gateway refused our request as such. */
  | 'rejected'
  /** The gateway knows nothing of it, a day later. */
  | 'never_charged'
  /** Never sent, and too late to send now; or its customer has been deleted. */
  | 'abandoned';

export interface ChargeTable {
  workspace_id: WorkspaceId;
  id: string;
  invoice_id: string;
  card_id: string;
  gateway_key: string;
  gateway_charge_id: string | null;
  amount_cents: number;
  state: ChargeState;
  decline_code: NoChargeCode | null;
  /** The customer is there to be asked by their bank. */
  is_present: Generated<boolean>;
  /** Its bank is asked to agree to later charges of the card, when nobody is there. */
  sets_up_card: Generated<boolean>;
  /** Where the bank asks its customer, once it has begun to. */
  action_url: Generated<string | null>;
  created_at: Date;
  settled_at: Date | null;
  /** It bought nothing, so its refund was written down in the same transaction. */
  is_returned: Generated<boolean>;
  /** There is no invoice of it, and no credit note. */
  is_before_invoices: Generated<boolean>;
  /** When the janitor checks it next; null once settled. */
  next_check_at: Date | null;
  fence: Generated<number>;
}

/**
 * A card that becomes the saved one without a charge; `money/payments/set-up-card.service.ts` draws its states.
 * Its payment's id, for the customer, is this one's.
 */
export interface CardSetupTable {
  workspace_id: WorkspaceId;
  id: string;
  /** Null: it is entered on a page of the gateway's. */
  payment_method_id: string | null;
  /** Who entered it; null: before that was kept. */
  asked_by: string | null;
  state: CardSetupState;
  gateway_setup_id: string | null;
  action_url: string | null;
  decline_code: BankDecline | null;
  created_at: Date;
  settled_at: Date | null;
  /** When the janitor checks it next; null once settled. */
  next_check_at: Date | null;
  fence: Generated<number>;
}

type CardSetupState = 'sent' | 'needs_action' | 'succeeded' | 'declined';

/**
 * Where a dispute stands. It only goes on from left to right, whoever brings the news and in which order.
 *
 *   inquiry ──> open ──> lost ──> won      (lost, and won by an appeal)
 */
export const DISPUTE_STATES = ['inquiry', 'open', 'lost', 'won'] as const;
export type DisputeState = (typeof DISPUTE_STATES)[number];
/** While a dispute is in one of these, its payment counts as refunded. The index `dispute_of_card` names them too. */
export const REVERSING_STATES: readonly DisputeState[] = ['open', 'lost'];

/**
 * A payment that its customer's bank has called back, or only asks about (`inquiry`, which moves no money).
 * What is disputed counts as refunded until it is won.
 */
export interface DisputeTable {
  workspace_id: WorkspaceId;
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
  /** When it stopped the payment's plan, which goes on once it is won; null: it stopped none. */
  stopped_at: Generated<Date | null>;
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
  workspace_id: WorkspaceId;
  id: string;
  charge_id: string;
  card_id: string;
  ig_username: string | null;
  description: string;
  amount_cents: number;
  created_at: Date;
}
