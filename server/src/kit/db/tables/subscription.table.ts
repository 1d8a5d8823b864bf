import type { Generated } from 'kysely';
import type { SubscriptionState } from '#shared/domain/money/subscription-state.ts';
import type { AccountId, IgId, WorkspaceId } from '#shared/domain/ids.ts';

/** A monthly plan on one connected account; it exists only after its first successful charge (D5). */
export interface SubscriptionTable {
  workspace_id: WorkspaceId;
  id: string;
  account_id: AccountId;
  ig_id: IgId;
  /** Keyed hashes of the network accounts it was moved away from (money back is once for each). */
  past_account_hashes: Generated<string[]>;
  package: number;
  /** A smaller or equally dear plan that holds from the next due date on; null: the plan stays. */
  next_package: Generated<number | null>;
  state: SubscriptionState;
  /** Due date n = anchor + n months + shift days, in `time_zone` (shared/domain/money/billing-period.ts). */
  anchor_at: Date;
  shift_days: Generated<number>;
  /** Part of `shift_days` from before each day given back had its row. */
  unlisted_shift_days: Generated<number>;
  time_zone: string;
  /** Number n of the current period; it began at due date n. */
  period: Generated<number>;
  period_started_at: Date;
  next_billing_at: Date;
  ends_at: Date | null;
  card_id: string;
  /** New posts are those not among these and not older than the read minus 5 minutes (D7). */
  baseline_read_at: Date;
  baseline_post_ids: string[];
  created_at: Date;
  /** Days after the 30 of money back, because disputes kept it from being asked for. */
  disputed_days: Generated<number>;
  /** Rises with each plan change, from which periods count anew; `last_subscription_version` is the last one given out. */
  subscription_version: Generated<number>;
  last_subscription_version: Generated<number>;
  /** When there is something to do for it (a reminder, a charge, its end); null: nothing any more. */
  next_action_at: Date | null;
  fence: Generated<number>;
  /** Both set while it is Past due: since when, and when the card is tried again. */
  past_due_since: Date | null;
  retry_at: Date | null;
  /** While it is Past due: posts from then on wait for the payment. */
  posts_wait_since: Date | null;
  /** Both set while a pause is planned (still Active) or runs (Paused); its days are in `shift_days` already. */
  pauses_at: Date | null;
  resumes_at: Date | null;
  /** The due date of which the reminder has spoken. */
  reminded_for: Date | null;
  /** When somebody else showed that the network account is theirs: it waits for another account. */
  displaced_at: Date | null;
  /** When it was last moved to another network account: at most once a period. */
  moved_at: Date | null;
}

/** Global: at most one unended subscription per network account. Reserved before the charge. */
export interface NetworkSubscriptionTable {
  ig_id: IgId;
  workspace_id: WorkspaceId;
  subscription_id: string;
}

/** Global: network accounts whose posts were served until the first retry of a late payment, once in 365 days. */
export interface LatePaymentGraceTable {
  ig_id: IgId;
  granted_at: Date;
}

/**
 * Global: network accounts whose posts were served before the payment for their days; the row goes with
 * the payment. It outlives the customer, who may come back as another.
 */
export interface UnpaidAdvanceTable {
  ig_id: IgId;
  subscription_id: string;
  since: Date;
}

/** A plan that a subscription had until then; the one that it has now stands in its own row. */
export interface PastPlanTable {
  workspace_id: WorkspaceId;
  subscription_id: string;
  until_at: Date;
  package: number;
  /** Of its last period: a day cost its price / these. */
  period_days: number;
  /** Its first local day, where its posts have been had on another one: it serves none any more. */
  closed_day: Generated<string | null>;
  /** From then on it serves no post any more, whenever the post was taken: its last day is another plan's. */
  superseded_at: Generated<Date | null>;
}
