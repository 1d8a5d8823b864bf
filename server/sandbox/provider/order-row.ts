import type { ProviderProgress } from '#shared/contract/provider-protocol.ts';
import type { OrderState } from '#shared/domain/order-state.ts';

/**
 * One order as the member network keeps it. `nextAt` is when the scheduler looks at it next; null once
 * it is final or was refused.
 *
 *   Pending ─ startAt ─> Processing ─ first like ─> In progress ─ last like ─> Completed
 *      └─ cancelled, post gone, no members left, out of time: Partial, or Canceled when nothing was given
 */
export interface OrderRow {
  no: number;
  ref: string;
  mediaId: string;
  likes: number;
  views: number;
  startAt: number;
  finishBy: number;
  /** Out of capacity at this moment, the order ends; later than finishBy after an interruption. */
  deadlineAt: number;
  status: OrderState;
  seq: number;
  startCount: number | null;
  delivered: number;
  viewed: number;
  nextAt: number | null;
}

export const ORDER_COLUMNS = `no, ref, provider_order.media_id, likes, views, start_at, finish_by,
  deadline_at, status, seq, start_count, delivered, viewed, next_at`;

export function toOrderRow(row: Record<string, unknown>): OrderRow {
  const startCount = row['start_count'];
  const nextAt = row['next_at'];
  return {
    no: Number(row['no']),
    ref: String(row['ref']),
    mediaId: String(row['media_id']),
    likes: Number(row['likes']),
    views: Number(row['views']),
    startAt: Number(row['start_at']),
    finishBy: Number(row['finish_by']),
    deadlineAt: Number(row['deadline_at']),
    status: row['status'] as OrderState,
    seq: Number(row['seq']),
    startCount: startCount === null ? null : Number(startCount),
    delivered: Number(row['delivered']),
    viewed: Number(row['viewed']),
    nextAt: nextAt === null ? null : Number(nextAt),
  };
}

export function toProgress(order: OrderRow): ProviderProgress {
  return {
    ref: order.ref,
    seq: order.seq,
    status: order.status,
    startCount: order.startCount,
    delivered: order.delivered,
    views: order.viewed,
    remains: order.likes - order.delivered,
  };
}

/** How an order ends that will get no more likes before it is complete. */
export function endedEarly(order: Pick<OrderRow, 'delivered'>): OrderState {
  return order.delivered > 0 ? 'Partial' : 'Canceled';
}

/** Views that belong to the likes given so far; all of them once the likes are complete. */
export function viewsFor(order: Pick<OrderRow, 'likes' | 'views'>, delivered: number): number {
  return Math.floor((order.views * delivered) / order.likes);
}
