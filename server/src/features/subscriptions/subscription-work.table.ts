import type { Generated } from 'kysely';
import type { Selectable } from 'kysely';
import type { SubscriptionState } from '#shared/contract/connected-account.ts';
import type { MONEY_BACK_STATES } from '#shared/contract/subscription.ts';

/** A plan change that was offered, and what it was computed from: any other, and it has changed. */
export interface PlanQuoteTable {
  workspace_id: string;
  id: string;
  subscription_id: string;
  package: number;
  era: number;
  period: number;
  state: SubscriptionState;
  total_cents: number;
  /** The due date from which a cheaper plan would hold; null: it would hold at once. */
  starts_at: Date | null;
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
  /** Who has shown since that the account is theirs; it is free again for them, once ever. */
  freed_for: Generated<string | null>;
  retaken: Generated<boolean>;
}
