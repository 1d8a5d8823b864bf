import type { Job } from '#server/kit/jobs/job.ts';
import { createLoop } from '#server/kit/jobs/loop.ts';
import {
  claimOrdersToPlace,
  lockClaimedOrders,
  storeAdvanced,
  storeOrders,
} from './claimed-orders.repository.ts';
import {
  logFailure,
  pausingWhileUnavailable,
  type ProviderRound,
  retryDelayMs,
} from './provider-round.ts';
import type { ProviderOrder, ProviderProgress } from '#shared/contract/provider-protocol.ts';
import type { Placement } from '#server/adapters/provider/delivery-provider.ts';
import { leaseOf } from '#server/kit/db/claim-due.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { LikeOrderRow } from './like-order.repository.ts';
import { refusalReason } from '#shared/domain/delivery/order-reasons.ts';
import { acceptOrder, type Advanced, advanceOrder, refuseOrder } from './advance-order.ts';
import { applyNews, newestByRef } from './provider-news.service.ts';

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
export function createPlaceOrdersJob(deps: PlaceDeps, options: Partial<PlaceOptions> = {}): Job {
  const { leaseMs = LEASE_MS, batch = BATCH, lockClaimed = lockClaimedOrders } = options;
  return createLoop(deps, {
    name: 'place-orders',
    idleMs: IDLE_MS,
    round: pausingWhileUnavailable(deps, () =>
      placeDueOrders(deps, { leaseMs, batch, lockClaimed }),
    ),
  });
}

type PlaceDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'log' | 'provider' | 'random'>;

interface PlaceOptions {
  /** Longer than the slowest answer of the provider that is waited for. */
  leaseMs: number;
  /** At most 100, the protocol's limit. */
  batch: number;
  /** Locks what is still ours after the call (the fence). */
  lockClaimed: typeof lockClaimedOrders;
}

/** Claims due orders, places them with the provider and stores what it said. */
export async function placeDueOrders(
  deps: PlaceDeps,
  options: PlaceOptions,
): Promise<ProviderRound> {
  const lease = leaseOf(deps.clock, { leaseMs: options.leaseMs, limit: options.batch });
  const claimed = await claimOrdersToPlace(deps.database.db, lease);
  if (claimed.length === 0) return 'idle';
  const ready = await bringUpToDate(deps, options, claimed);
  if (ready === undefined) return 'unavailable';
  if (ready.length === 0) return 'again';
  const outcome = await deps.provider.placeOrders(ready.map(toProviderOrder));
  if (outcome.kind !== 'answered') {
    logFailure(deps.log, 'place', outcome, ready.length);
    await postpone(deps, options, ready);
    return 'unavailable';
  }
  await storePlacements(deps, options, ready, outcome.answer);
  return claimed.length < options.batch ? 'idle' : 'again';
}

function toProviderOrder(order: LikeOrderRow): ProviderOrder {
  return {
    ref: order.id,
    igId: order.ig_id,
    mediaId: order.post_id,
    shortcode: order.shortcode,
    likes: order.ordered + order.bonus,
    views: order.views,
    startAt: order.start_at.toISOString(),
    finishBy: order.finish_by.toISOString(),
  };
}

/**
 * An order whose first attempt failed so long ago that its likes would arrive in one burst gets a new
 * start. The provider may know it already, and a ref stands for one content: so it is asked first, and
 * only what it doesn't know is changed, under the fence, before the call.
 * @returns what is to be placed; undefined when the provider didn't answer (everything is postponed)
 */
async function bringUpToDate(
  deps: PlaceDeps,
  options: PlaceOptions,
  claimed: LikeOrderRow[],
): Promise<LikeOrderRow[] | undefined> {
  const at = new Date(deps.clock.now());
  const late = claimed.filter((order) => isLate(order, at));
  if (late.length === 0) return claimed;
  const outcome = await deps.provider.readProgress(late.map(({ id }) => id));
  if (outcome.kind !== 'answered') {
    logFailure(deps.log, 'place', outcome, claimed.length);
    await postpone(deps, options, claimed);
    return undefined;
  }
  await applyNews(deps, late, outcome.answer);
  const known = new Set(outcome.answer.map(({ ref }) => ref));
  const unknown = late.filter(({ id }) => !known.has(id));
  const moved = await deps.database.transaction(async (tx) => {
    const orders = (await options.lockClaimed(tx, unknown)).map((order) => restart(order, at));
    await storeOrders(tx, orders);
    return orders;
  });
  return [...claimed.filter((order) => !late.includes(order)), ...moved];
}

/** Half of its time is gone and it may not have begun. */
function isLate(order: LikeOrderRow, at: Date): boolean {
  const spreadMs = order.finish_by.getTime() - order.start_at.getTime();
  return order.attempts > 1 && at.getTime() - order.start_at.getTime() > spreadMs / 2;
}

function restart(order: LikeOrderRow, at: Date): LikeOrderRow {
  const spreadMs = order.finish_by.getTime() - order.start_at.getTime();
  return { ...order, start_at: at, finish_by: new Date(at.getTime() + spreadMs) };
}

async function storePlacements(
  deps: PlaceDeps,
  options: PlaceOptions,
  claims: LikeOrderRow[],
  placements: readonly Placement[],
): Promise<void> {
  const conflicting = placements.filter(isConflict).map(({ ref }) => ref);
  const held = await readHeldOrders(deps, conflicting);
  const byRef = new Map(placements.map((placement) => [placement.ref, placement]));
  await deps.database.transaction(async (tx) => {
    const at = new Date(deps.clock.now());
    const orders = await options.lockClaimed(tx, claims);
    const settled = orders.map((order) => {
      const placement = byRef.get(order.id);
      const outcome = placement && settle(order, placement, held, at);
      return outcome ?? { order: retryLater(deps, order, at), events: [] };
    });
    await storeAdvanced(tx, deps.ids, settled, at);
  });
}

function isConflict(placement: Placement): boolean {
  return placement.result === 'refused' && placement.reason === 'conflict';
}

/**
 * What the provider holds under refs it called a conflict: an earlier attempt of ours, with another start,
 * that arrived after all. Undefined when it can't be asked now.
 */
async function readHeldOrders(
  deps: PlaceDeps,
  refs: string[],
): Promise<Map<string, ProviderProgress> | undefined> {
  if (refs.length === 0) return new Map();
  const outcome = await deps.provider.readProgress(refs);
  if (outcome.kind === 'answered') return newestByRef(outcome.answer);
  logFailure(deps.log, 'place', outcome, refs.length);
  return undefined;
}

/** Undefined: not known yet, to be tried again. */
function settle(
  order: LikeOrderRow,
  placement: Placement,
  held: Map<string, ProviderProgress> | undefined,
  at: Date,
): Advanced | undefined {
  if (placement.result === 'accepted') return acceptOrder(order, at);
  if (!isConflict(placement)) return refuseOrder(order, refusalReason(placement.reason), at);
  if (held === undefined) return undefined;
  const news = held.get(order.id);
  // Held but not running: the earlier attempt was refused, and that answer got lost.
  return news ? advanceOrder(order, news, at) : refuseOrder(order, 'refused', at);
}

/** Puts claimed orders back: still Pending, due again after a while. */
async function postpone(
  deps: PlaceDeps,
  options: PlaceOptions,
  claims: LikeOrderRow[],
): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const at = new Date(deps.clock.now());
    const orders = await options.lockClaimed(tx, claims);
    await storeOrders(
      tx,
      orders.map((order) => retryLater(deps, order, at)),
    );
  });
}

function retryLater(deps: PlaceDeps, order: LikeOrderRow, at: Date): LikeOrderRow {
  const retryAt = new Date(at.getTime() + retryDelayMs(order.attempts, deps.random));
  return { ...order, next_attempt_at: retryAt };
}
