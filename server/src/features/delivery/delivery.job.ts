import type { Job } from '../../jobs/job.ts';
import { createLoop } from '../../jobs/loop.ts';
import { lockClaimedOrders } from './delivery.repository.ts';
import { placeDueOrders, type PlaceDeps, type PlaceOptions } from './place-orders.service.ts';
import { pausingWhileUnavailable } from './provider-round.ts';

const IDLE_MS = 500;
/** Three times the time-out of a call to the provider. */
const LEASE_MS = 30_000;
const BATCH = 100;

/**
 * Places new orders with the delivery provider.
 *
 *   Pending ──claim: fence + 1, times fixed──> leased ──accepted──> Processing   (event placed)
 *      ^                                          ├─────refused───> Canceled     (refused, finished)
 *      └──── no answer: later; lease over: at once ┘
 *
 * A call that got no answer may have taken effect, so it is only ever repeated: with the same ref (the
 * order's id) and the same content, both in the database before the call. The provider takes one ref once.
 *
 * The hazard that is left: a worker that slept past its lease. Its order is claimed anew, placed, perhaps
 * delivered and final, and then the old answer arrives. Stored, it would count a second effect and put a
 * finished order back. So what an answer says is stored only while the claim's fence is still the row's
 * (`lockClaimedOrders`); every claim, cancellation and final state raises it. The crash test fails when
 * that condition is taken out.
 */
export function createDeliveryJob(deps: PlaceDeps, options: Partial<PlaceOptions> = {}): Job {
  const { leaseMs = LEASE_MS, batch = BATCH, lockClaimed = lockClaimedOrders } = options;
  return createLoop({
    name: 'delivery',
    clock: deps.clock,
    log: deps.log,
    idleMs: IDLE_MS,
    round: pausingWhileUnavailable(deps, () =>
      placeDueOrders(deps, { leaseMs, batch, lockClaimed }),
    ),
  });
}
