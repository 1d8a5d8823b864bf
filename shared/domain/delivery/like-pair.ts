import { MINUTE_MS } from '../durations.ts';
import { isFinal, type OrderState } from './order-state.ts';

/**
 * Where the likes of a post come from. With what we have delivered it says the total that is shown:
 * organic + delivered - lost.
 */
export interface LikePair {
  /** Never falls while we deliver, and never because we do. */
  organic: number;
  /** Likes that were there and are gone: unliked, or removed by the network. Nobody says whose they were. */
  lost: number;
}

/** The network's count of a post. */
interface LikeReading {
  total: number;
  /** When the answer was here, milliseconds since the epoch; the network counted then or before. */
  atMs: number;
}

/** What is known of one order of the post, whoever ordered it. */
export interface PairedOrder {
  state: OrderState;
  /** Likes to deliver, bonus included. */
  target: number;
  /** Delivered, as last heard. News may be late, so it may be more by now. */
  delivered: number;
  /** `delivered` was at least what the provider had delivered at this moment; null when it was never asked. */
  knownAtMs: number | null;
  /** The network's count when delivery began, as the provider read it. */
  startCount: number | null;
  /** When the first like was heard of. */
  startedAtMs: number | null;
  finishedAtMs: number | null;
}

/** The network's count may lag behind the provider's book for so long. */
export const COUNT_LAG_MS = 10 * MINUTE_MS;
/** Clocks of two nodes may differ so much. */
const SKEW_MS = 2000;

/**
 * The pair after a reading, a start or an end. A count contains an unknown part of what is being
 * delivered at that moment. So while an order runs, organic is only raised, to what is certain: the count
 * minus the most that can have been delivered by then. When nothing has run for ten minutes, the count is
 * exact, and only then a fall is believed: we no longer deliver, so it is the network that took likes away.
 *
 * @returns the pair, and whether the reading has told all it can
 */
export function pairLikes(
  before: LikePair | undefined,
  reading: LikeReading | undefined,
  orders: readonly PairedOrder[],
): LikePair & { isSettled: boolean } {
  let pair = before ?? { organic: 0, lost: 0 };
  for (const order of orders) {
    if (order.startCount === null) continue;
    const others = orders.filter((other) => other !== order);
    const heardAtMs = order.startedAtMs ?? Infinity;
    pair = atLeast(pair, order.startCount - mostDelivered(others, heardAtMs));
  }
  if (!reading) return { ...pair, isSettled: true };
  const net = reading.total - mostDelivered(orders, reading.atMs);
  if (!isAtRest(orders, reading.atMs)) return { ...atLeast(pair, net), isSettled: false };
  const organic = Math.max(pair.organic, net);
  return { organic, lost: organic - net, isSettled: true };
}

/** Likes without ours are at least so many: what was taken for lost is back, or organic has grown. */
function atLeast({ organic, lost }: LikePair, net: number): LikePair {
  const grown = Math.max(organic, net);
  return { organic: grown, lost: Math.min(lost, grown - net) };
}

function mostDelivered(orders: readonly PairedOrder[], atMs: number): number {
  return orders.reduce((sum, order) => sum + mostOf(order, atMs), 0);
}

function mostOf({ state, target, delivered, knownAtMs }: PairedOrder, atMs: number): number {
  const isKnown = isFinal(state) || (knownAtMs !== null && knownAtMs >= atMs + SKEW_MS);
  return isKnown ? delivered : target;
}

function isAtRest(orders: readonly PairedOrder[], atMs: number): boolean {
  return orders.every(
    ({ state, finishedAtMs }) =>
      isFinal(state) && finishedAtMs !== null && finishedAtMs + COUNT_LAG_MS <= atMs,
  );
}

/** What is shown of a post's likes; the figures sum up. */
interface LikeCounts {
  /** organic + delivered + elsewhere - lost */
  total: number;
  organic: number;
  /** By this customer's orders. */
  delivered: number;
  /** By orders of other customers of the same account. */
  elsewhere: number;
  lost: number;
}

/** The parts of a shown total. What neither is organic nor ours came by others, or is gone. */
export function likeCounts(post: {
  total: number;
  organic: number;
  delivered: number;
}): LikeCounts {
  const { total, organic, delivered } = post;
  const rest = total - organic - delivered;
  return { total, organic, delivered, elsewhere: Math.max(0, rest), lost: Math.max(0, -rest) };
}

/** Of delivered likes the part that is still there, 0 to 1; null: there are none. */
export function retentionOf({
  delivered,
  lost,
}: {
  delivered: number;
  lost: number;
}): number | null {
  return delivered === 0 ? null : (delivered - lost) / delivered;
}
