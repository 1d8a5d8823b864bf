import type { ProviderProgress } from '#shared/contract/provider-protocol.ts';
import { canFollow, isFinal, type OrderState } from '#shared/domain/delivery/order-state.ts';
import type { LikeOrderRow } from './like-order.repository.ts';
import type { OrderEventKind } from '#server/kit/db/tables/like-order.table.ts';
import type { OrderReason } from '#shared/domain/delivery/order-reasons.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';

/** An order after something happened to it, and what is to be recorded; stored together or not at all. */
export interface Advanced {
  order: LikeOrderRow;
  events: OrderEventKind[];
  /** The provider said fewer likes than before; what it had said stays. */
  takenBack?: { delivered: number; before: number };
}

/** The provider took it: Pending -> Processing. */
export function acceptOrder(order: LikeOrderRow, at: Date): Advanced {
  const accepted: LikeOrderRow = { ...order, state: 'Processing' };
  return { order: { ...accepted, next_attempt_at: nextPollAt(accepted, at) }, events: ['placed'] };
}

/** The provider won't ever take it: Pending -> Canceled, nothing delivered. */
export function refuseOrder(order: LikeOrderRow, reason: OrderReason, at: Date): Advanced {
  return { order: finish(order, 'Canceled', reason, at), events: ['refused', 'finished'] };
}

/** It was asked to stop before it reached the provider: Pending -> Canceled. */
export function cancelUnplacedOrder(order: LikeOrderRow, at: Date): Advanced {
  return { order: finish(order, 'Canceled', 'stopped', at), events: ['finished'] };
}

/**
 * Applies news of the provider, however it came. Undefined when there is nothing new in it: `seq` must
 * rise and a final order stays as it is, so news may come twice, late and in any order. States only go
 * forward, counts too; the final state follows from the counts, because delivered + remains = ordered +
 * bonus always.
 */
export function advanceOrder(
  order: LikeOrderRow,
  news: ProviderProgress,
  at: Date,
): Advanced | undefined {
  if (isFinal(order.state) || news.seq <= order.provider_seq) return undefined;
  const total = order.ordered + order.bonus;
  const told = Math.min(news.delivered, total);
  const delivered = Math.max(order.delivered, told);
  const heard = heardState(news.status, delivered, total);
  const state = canFollow(order.state, heard) ? heard : order.state;
  const isStarted = delivered > 0 || state === 'In progress';
  const known: LikeOrderRow = {
    ...order,
    delivered,
    remains: total - delivered,
    views_delivered: Math.max(order.views_delivered, Math.min(news.views, order.views)),
    start_count: news.startCount ?? order.start_count,
    provider_seq: news.seq,
    started_at: order.started_at ?? (isStarted ? at : null),
  };
  const events: OrderEventKind[] = [];
  if (order.state === 'Pending') events.push('placed');
  if (isStarted && order.started_at === null) events.push('started');
  const takenBack =
    told < delivered ? { takenBack: { delivered: told, before: order.delivered } } : {};
  if (isFinal(state)) {
    const finished = finish(known, state, 'ended_early', at);
    return { order: finished, events: [...events, 'finished'], ...takenBack };
  }
  return { order: leavePending(order, { ...known, state }, at), events, ...takenBack };
}

/** News can overtake the answer to the placing: whoever waits for that answer must not store it any more. */
function leavePending(before: LikeOrderRow, after: LikeOrderRow, at: Date): LikeOrderRow {
  if (before.state !== 'Pending') return after;
  const isStopping = after.cancel_requested;
  return {
    ...after,
    fence: after.fence + 1,
    next_attempt_at: isStopping ? at : nextPollAt(after, at),
  };
}

function heardState(status: OrderState, delivered: number, total: number): OrderState {
  if (isFinal(status)) {
    if (delivered === total) return 'Completed';
    return delivered > 0 ? 'Partial' : 'Canceled';
  }
  if (delivered > 0) return 'In progress';
  // The provider's Pending means "taken, not begun", which is Processing here.
  return status === 'Pending' ? 'Processing' : status;
}

function finish(
  order: LikeOrderRow,
  state: OrderState,
  reason: OrderReason,
  at: Date,
): LikeOrderRow {
  return {
    ...order,
    state,
    reason: state === 'Completed' ? null : (order.reason ?? reason),
    finished_at: at,
    next_attempt_at: null,
    fence: order.fence + 1,
  };
}

const POLL_LEAST_MS = 2000;
const POLL_LIMIT_MS = 30_000;
/** So many polls of an order while it is delivered: 2 s apart up to ten minutes, 30 s from 2.5 hours. */
const POLLS_PER_SPREAD = 300;
const OVERDUE_POLL_MS = MINUTE_MS;
/** This long after `finish_by` an unfinished order is reported (I7); it is polled on all the same. */
const OVERDUE_AFTER_MS = 30 * MINUTE_MS;

type Spread = Pick<LikeOrderRow, 'start_at' | 'finish_by'>;

/** When an order with the provider is asked for next. */
export function nextPollAt(order: Spread, at: Date): Date {
  if (isOverdue(order, at)) return new Date(at.getTime() + OVERDUE_POLL_MS);
  const spreadMs = order.finish_by.getTime() - order.start_at.getTime();
  const pauseMs = Math.min(POLL_LIMIT_MS, Math.max(POLL_LEAST_MS, spreadMs / POLLS_PER_SPREAD));
  return new Date(Math.max(at.getTime() + pauseMs, order.start_at.getTime()));
}

export function isOverdue(order: Spread, at: Date): boolean {
  return at.getTime() > order.finish_by.getTime() + OVERDUE_AFTER_MS;
}
