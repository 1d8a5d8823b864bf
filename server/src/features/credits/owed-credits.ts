import type { LikeOrderRow } from '../orders/like-order.repository.ts';

/**
 * What an ended automatic order owes: the plan's likes it fell short of, never bonus likes (D7). An order
 * that was stopped on the customer's side owes nothing: the provider didn't fail to deliver it.
 */
export function shortfallOf(order: Pick<LikeOrderRow, 'ordered' | 'delivered' | 'reason'>): number {
  if (order.reason === 'stopped') return 0;
  return Math.max(0, order.ordered - order.delivered);
}
