import type { Generated } from 'kysely';
import type { SubscriptionState } from '#shared/contract/connected-account.ts';

/** A monthly plan on one connected account; it exists only after its first successful charge (D5). */
export interface SubscriptionTable {
  workspace_id: string;
  id: string;
  account_id: string;
  ig_id: string;
  package: number;
  state: SubscriptionState;
  /** Due date n = anchor + n months + shift days, in `time_zone` (shared/domain/billing-period.ts). */
  anchor_at: Date;
  shift_days: Generated<number>;
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
}

/** Global: at most one unended subscription per network account. Reserved before the charge. */
export interface NetworkSubscriptionTable {
  ig_id: string;
  workspace_id: string;
  subscription_id: string;
}
