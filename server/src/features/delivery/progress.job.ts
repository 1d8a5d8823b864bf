import type { Job } from '../../jobs/job.ts';
import { createLoop } from '../../jobs/loop.ts';
import { pollDueOrders, type PollDeps, type PollOptions } from './poll-orders.service.ts';
import { pausingWhileUnavailable } from './provider-round.ts';

const IDLE_MS = 500;
const LEASE_MS = 30_000;
const BATCH = 100;

/**
 * Follows placed orders until they are final, and stops those that were asked to stop.
 *
 *   Processing ──first like──> In progress ──last like──> Completed
 *       └───────────── stopped, or ended by the provider ─────────> Partial | Canceled
 *   Pending, asked to stop ──never tried, or provably never arrived──> Canceled
 *
 * Polling is the truth, events only bring it sooner; both go through `advanceOrder`, where the rising `seq`
 * makes repeated and late news harmless. An order that should have ended long ago is polled on and reported.
 */
export function createProgressJob(deps: PollDeps, options: Partial<PollOptions> = {}): Job {
  const { leaseMs = LEASE_MS, batch = BATCH } = options;
  return createLoop({
    name: 'progress',
    clock: deps.clock,
    log: deps.log,
    idleMs: IDLE_MS,
    round: pausingWhileUnavailable(deps, () => pollDueOrders(deps, { leaseMs, batch })),
  });
}
