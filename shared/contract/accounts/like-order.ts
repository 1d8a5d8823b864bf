import * as v from 'valibot';
import { DELIVERY_SPEEDS } from '../../domain/delivery/delivery-speed.ts';
import { ORDER_STATES, parseOrderState } from '../../domain/delivery/order-state.ts';
import { defineCall } from '../call.ts';
import { askedInstant, igId, instant, postId, uuid, wholeNumber } from '../fields.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const ORDER_KINDS = ['automatic', 'credit'] as const;

/** One order with its receipt: everything a customer may want to prove about it (D7). */
export const LikeOrder = v.object({
  id: uuid,
  kind: v.picklist(ORDER_KINDS),
  igId: v.string(),
  igUsername: v.string(),
  postId: v.string(),
  shortcode: v.string(),
  state: v.picklist(ORDER_STATES),
  /** Why it ended short, in one sentence; null otherwise. */
  reason: v.nullable(v.string()),
  speed: v.picklist(DELIVERY_SPEEDS),
  /** Likes the post had when delivery started; null before, or when hidden. */
  startCount: v.nullable(count),
  /** Likes ordered, without bonus. */
  ordered: count,
  bonus: count,
  delivered: count,
  remains: count,
  /** Credits that came back for what it didn't deliver; null until that is settled. */
  creditsReturned: v.nullable(count),
  /** Views ordered (videos: as many as likes and bonus) and delivered. */
  views: count,
  viewsDelivered: count,
  /** When the post appeared on the network, by the network's clock. */
  postedAt: instant,
  detectedAt: instant,
  startedAt: v.nullable(instant),
  finishedAt: v.nullable(instant),
  finishBy: instant,
});
export type LikeOrder = v.InferOutput<typeof LikeOrder>;

const STATE_RULE = 'This isn’t an order state';
/** Any of the usual spellings (D7). */
const orderState = v.pipe(
  v.string(STATE_RULE),
  v.check((text) => parseOrderState(text) !== undefined, STATE_RULE),
  v.transform((text) => parseOrderState(text)),
);
const LIMIT_RULE = 'Please ask for 1 to 500 orders';

export const findLikeOrders = defineCall({
  method: 'POST',
  path: '/user/likeOrders/find',
  encoding: 'json',
  session: 'required',
  summary:
    'Orders of one account with their receipts, newest first: all, or those that fit every filter (500, or `limit` up to 500, older than `before`).',
  input: v.object({
    igId,
    postId: v.optional(postId),
    kind: v.optional(v.picklist(ORDER_KINDS, 'Please choose automatic or credit')),
    state: v.optional(orderState),
    /** Detected from then on. */
    since: v.optional(askedInstant),
    /** Detected before then. */
    until: v.optional(askedInstant),
    limit: v.optional(
      v.pipe(wholeNumber(LIMIT_RULE), v.minValue(1, LIMIT_RULE), v.maxValue(500, LIMIT_RULE)),
      500,
    ),
    /** The order the page before ended with. */
    before: v.optional(uuid),
  }),
  data: v.array(LikeOrder),
  errors: ['not_yours'],
});
