import type { Generated } from 'kysely';
import type { Selectable } from 'kysely';
import type { MONEY_BACK_STATES } from '#shared/contract/accounts/connected-account.ts';
import type { SubscriptionState } from '#shared/domain/money/subscription-state.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';

/** A plan change that was offered, and what it was computed from: any other, and it has changed. */
export interface PlanQuoteTable {
  workspace_id: WorkspaceId;
  id: string;
  subscription_id: string;
  package: number;
  subscription_version: number;
  period: number;
  state: SubscriptionState;
  total_cents: number;
  /** The due date from which a cheaper plan would hold; null: it would hold at once. */
  starts_at: Date | null;
  expires_at: Date;
  used_at: Date | null;
  /** The attempt that changed the plan with it. */
  used_by: string | null;
}

export type MoneyBackState = (typeof MONEY_BACK_STATES)[number];

/** Requested ──day 3 at the latest──> Approved ──all refunds at the gateway──> Paid. */
export interface RefundRequestTable {
  workspace_id: WorkspaceId;
  subscription_id: string;
  state: MoneyBackState;
  /** What goes back: at least, until it is approved; then exactly. */
  amount_cents: number;
  /** With nothing more delivered by the orders that were under way; the same once approved. */
  most_cents: number;
  /** What `amount_cents` is computed from (shared/domain/money/money-back.ts). */
  charged_cents: number;
  has_free_likes: boolean;
  likes: number;
  paid_likes: number;
  likes_cents: number;
  /** Credits its orders gave, bonus only it unlocked; how many of both left the balance, what the rest costs. */
  order_credits: number;
  bonus_credits: number;
  taken_credits: number;
  credits_cents: number;
  requested_at: Date;
  approve_by: Date;
  approved_at: Date | null;
  paid_at: Date | null;
}

export type RefundRequestRow = Selectable<RefundRequestTable>;

/** Global: which cards have had the free likes of a money back (once each, D5). */
export interface RefundRequestCardTable {
  /** Keyed hash of the gateway's fingerprint. */
  card_hash: string;
  workspace_id: WorkspaceId;
  subscription_id: string;
}

/** Global: which network accounts have had their money back (once each, D5). */
export interface RefundRequestAccountTable {
  /** Keyed hash of the network's id. */
  account_hash: string;
  workspace_id: WorkspaceId;
  subscription_id: string;
  /** The workspace that gets the right a second time, once ever: it proved the account is its own, or was displaced by who did. */
  freed_for: Generated<string | null>;
  retaken: Generated<boolean>;
}
