import * as v from 'valibot';
import { DELIVERY_SPEEDS } from '../domain/delivery-speed.ts';
import { ORDER_STATES } from '../domain/order-state.ts';
import { defineCall } from './call.ts';
import { instant, networkId, uuid } from './fields.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** One order with its receipt: everything a customer may want to prove about it (D7). */
export const LikeOrder = v.object({
  id: uuid,
  kind: v.picklist(['automatic', 'credit']),
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

export const findLikeOrders = defineCall({
  method: 'POST',
  path: '/user/likeOrders/find',
  encoding: 'json',
  session: 'required',
  summary: 'Orders with their receipts, newest first, of one account and, if given, one post.',
  input: v.object({ igId: networkId, postId: v.optional(networkId) }),
  data: v.array(LikeOrder),
  errors: ['not_yours'],
});
