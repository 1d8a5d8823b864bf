import type { Random } from '../../deps.ts';
import type { LikeOrderRow } from '../orders/like-order.repository.ts';

const POLL_LEAST_MS = 2000;
const POLL_MOST_MS = 30_000;
/** So many looks at an order while it is delivered: 2 s apart up to ten minutes, 30 s from 2.5 hours. */
const POLLS_PER_SPREAD = 300;
const OVERDUE_POLL_MS = 60_000;
const RETRY_FIRST_MS = 500;
/** Short enough that a customer hardly notices when the provider is back. */
const RETRY_MOST_MS = 10_000;

/** This long after `finish_by` an unfinished order is reported (I7); it is polled on all the same. */
export const OVERDUE_AFTER_MS = 30 * 60_000;

type Spread = Pick<LikeOrderRow, 'start_at' | 'finish_by'>;

/** When an order with the provider is asked for next. */
export function nextPollAt(order: Spread, at: Date): Date {
  if (isOverdue(order, at)) return new Date(at.getTime() + OVERDUE_POLL_MS);
  const spreadMs = order.finish_by.getTime() - order.start_at.getTime();
  const pauseMs = Math.min(POLL_MOST_MS, Math.max(POLL_LEAST_MS, spreadMs / POLLS_PER_SPREAD));
  return new Date(Math.max(at.getTime() + pauseMs, order.start_at.getTime()));
}

export function isOverdue(order: Spread, at: Date): boolean {
  return at.getTime() > order.finish_by.getTime() + OVERDUE_AFTER_MS;
}

/**
 * Milliseconds before a failed call is tried again: doubling from half a second to ten, of which a random
 * part up to a half is left out, so that workers that failed together don't come back together.
 */
export function retryDelayMs(failures: number, random: Random): number {
  const delayMs = Math.min(RETRY_MOST_MS, RETRY_FIRST_MS * 2 ** Math.min(failures - 1, 20));
  const share = random.bytes(4).readUInt32BE() / 2 ** 32;
  return Math.round(delayMs * (1 - share / 2));
}
