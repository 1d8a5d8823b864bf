import type { Generated } from 'kysely';
import type { DeliverySpeed } from '#shared/domain/delivery/delivery-speed.ts';
import type { OrderState } from '#shared/domain/delivery/order-state.ts';
import type { OrderReason } from '#shared/domain/delivery/order-reasons.ts';
import type { AccountId, IgId, OrderId, PostId, WorkspaceId } from '#shared/domain/ids.ts';

/**
 * One child order: the likes for one post. Its id is the provider's `ref`, the idempotency key.
 *
 * Work on it is claimed (`next_attempt_at`, pushed on by the lease) under a rising `fence`; what a
 * worker learnt is stored only while its fence is still the row's, so an overtaken worker can't put
 * an order back that its successor has placed.
 */
export interface LikeOrderTable {
  workspace_id: WorkspaceId;
  id: OrderId;
  kind: 'automatic' | 'credit';
  account_id: AccountId;
  post_id: PostId;
  ig_id: IgId;
  shortcode: string;
  /** Automatic orders only, as are day and slot; null for credit orders. */
  subscription_id: string | null;
  local_day: string | null;
  /** 1-4: the database enforces "first 4 posts per local day". */
  slot: number | null;
  state: OrderState;
  /** Why it was asked to stop or ended short; shown as a sentence (order-reasons.ts). */
  reason: OrderReason | null;
  speed: DeliverySpeed;
  ordered: number;
  bonus: number;
  /** Ordered views: likes plus bonus on videos, else 0. */
  views: number;
  start_count: number | null;
  delivered: Generated<number>;
  views_delivered: Generated<number>;
  remains: number;
  /** When the provider was last asked, so that `delivered` is at least what it was then; null: never. */
  known_at: Generated<Date | null>;
  /** Highest progress number seen; older news is ignored. -1 before the first. */
  provider_seq: Generated<number>;
  posted_at: Date;
  detected_at: Date;
  start_at: Date;
  finish_by: Date;
  started_at: Date | null;
  finished_at: Date | null;
  /** Asked to stop (post deleted, subscription stopped); done once the provider has confirmed. */
  cancel_requested: Generated<boolean>;
  /** When a worker deals with it next; null once final. */
  next_attempt_at: Date | null;
  fence: Generated<number>;
  /** How often placing was begun; written, like the next, before the provider is called. */
  attempts: Generated<number>;
  /** When placing was last begun: a request may be on its way until its signature is too old. */
  attempted_at: Date | null;
  /** When the credits of its undelivered rest were returned, or found not to be owed; null before. */
  credits_settled_at: Generated<Date | null>;
  /** Credits that came back for what it didn't deliver; null before. */
  credits_returned: Generated<number | null>;
  /** The network didn't tell why it fell short: not settled before then. */
  settle_after: Generated<Date | null>;
  /** The plan it was made under, which says what its likes cost (OrderTerms); null for credit orders. */
  plan_price_cents: Generated<number | null>;
  plan_likes: Generated<number | null>;
  period_days: Generated<number | null>;
  /** Automatic orders: made before the payment for its post's day, of the plan which that one pays for. */
  in_advance: Generated<boolean>;
}

/** What happened to an order, in order; effects are counted here (invariant I4: one of each). */
const ORDER_EVENTS = ['placed', 'refused', 'started', 'finished'] as const;
export type OrderEventKind = (typeof ORDER_EVENTS)[number];

export interface OrderEventTable {
  workspace_id: WorkspaceId;
  order_id: OrderId;
  id: string;
  kind: OrderEventKind;
  fence: number;
  at: Date;
}

/** Global: the slots of a network account's local days that are taken, by whichever workspace. */
export interface AutomaticSlotTable {
  ig_id: IgId;
  local_day: string;
  slot: number;
  time_zone: string;
  posted_at: Date;
  workspace_id: WorkspaceId;
  subscription_id: string;
}
