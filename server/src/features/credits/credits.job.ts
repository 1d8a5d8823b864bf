import type { Job } from '../../jobs/job.ts';
import { createLoop } from '../../jobs/loop.ts';
import { settleEndedOrders, type SettleOrdersDeps } from './settle-orders.service.ts';

const IDLE_MS = 1000;

/**
 * Returns what orders didn't deliver, seconds after they end (D7 allows an hour).
 *
 *   ended, credits_settled_at null ──one transaction──> ledger written, credits_settled_at set
 *       └── short: the network is asked why first; without an answer again, up to ten minutes later
 *
 * What the customer's side caused returns nothing on a plan's order; bought credits always return, and are
 * not kept waiting for the network. Asking changes nothing, so the row's lock is all the claim there is: a worker that
 * dies has done nothing, and two workers can't have the same order. Should that ever fail, the key
 * `order:<id>:settle` or `:shortfall` is unique and takes the second one's transaction with it.
 */
export function createCreditsJob(deps: SettleOrdersDeps): Job {
  return createLoop({
    name: 'credits',
    clock: deps.clock,
    log: deps.log,
    idleMs: IDLE_MS,
    round: () => settleEndedOrders(deps),
  });
}
