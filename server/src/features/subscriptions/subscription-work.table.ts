import type { Selectable } from 'kysely';
import type { SubscriptionState } from '#shared/contract/connected-account.ts';
import type { MONEY_BACK_STATES } from '#shared/contract/subscription.ts';

/** What a workspace has left over from plan changes; at most 49 cents below 0 (carried over, D5). */
export interface BillingBalanceTable {
  workspace_id: string;
  cents: number;
}

/** Why the balance is what it is: append-only, summing to it. `key` is the meaning, once each. */
export interface BillingBalanceEntryTable {
  workspace_id: string;
  key: string;
  subscription_id: string;
  cents: number;
  at: Date;
}

/** The exact price of a plan change, and what it was computed from: any other, and it has changed. */
export interface PlanQuoteTable {
  workspace_id: string;
  id: string;
  subscription_id: string;
  package: number;
  era: number;
  period: number;
  state: SubscriptionState;
  unused_cents: number;
  balance_cents: number;
  total_cents: number;
  expires_at: Date;
  used_at: Date | null;
  /** The submit that changed the plan with it. */
  used_by: string | null;
}

export type MoneyBackState = (typeof MONEY_BACK_STATES)[number];

/** Requested ──day 3 at the latest──> Approved ──all refunds at the gateway──> Paid. */
export interface MoneyBackTable {
  workspace_id: string;
  subscription_id: string;
  state: MoneyBackState;
  amount_cents: number;
  requested_at: Date;
  approve_by: Date;
  approved_at: Date | null;
  paid_at: Date | null;
}

export type MoneyBackRow = Selectable<MoneyBackTable>;

/** Global: which network accounts have had their money back (once each, D5). */
export interface MoneyBackAccountTable {
  /** Keyed hash of the network's id. */
  account_hash: string;
  workspace_id: string;
  subscription_id: string;
}
