import type { Job } from '#server/kit/jobs/job.ts';
import { createLoop } from '#server/kit/jobs/loop.ts';
import {
  logFailure,
  pausingWhileUnavailable,
  type ProviderRound,
  retryDelayMs,
} from './provider-round.ts';
import type { ProviderProgress } from '#shared/contract/provider-protocol.ts';
import type { ProviderOutcome } from '#server/adapters/provider/delivery-provider.ts';
import { leaseOf } from '#server/kit/db/claim-due.ts';
import type { Deps } from '#server/kit/deps.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import type { LikeOrderRow } from './like-order.repository.ts';
import {
  type Advanced,
  advanceOrder,
  cancelUnplacedOrder,
  isOverdue,
  nextPollAt,
} from './advance-order.ts';
import {
  claimOrdersToPoll,
  type DueOrder,
  lockClaimedOrders,
  storeAdvanced,
} from './claimed-orders.repository.ts';
import { eachAlone, newestByRef, pairHeard, reportTakenBack } from './provider-news.service.ts';

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
export function createPollOrdersJob(deps: PollDeps, options: Partial<PollOptions> = {}): Job {
  const { leaseMs = LEASE_MS, batch = BATCH } = options;
  return createLoop(deps, {
    name: 'poll-orders',
    idleMs: IDLE_MS,
    round: pausingWhileUnavailable(deps, () => pollDueOrders(deps, { leaseMs, batch })),
  });
}

type PollDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'log' | 'provider' | 'random'>;

interface PollOptions {
  leaseMs: number;
  /** At most 100, the protocol's limit. */
  batch: number;
}

const CANCEL_AGAIN_MS = 5000;
const ASK_AGAIN_MS = 2000;
/** The provider’s clock and ours may be this far apart. */
const CLOCKS_MS = MINUTE_MS;

/** Asks the provider about due orders, or to stop them, and stores what it said. */
export async function pollDueOrders(deps: PollDeps, options: PollOptions): Promise<ProviderRound> {
  const lease = leaseOf(deps.clock, { leaseMs: options.leaseMs, limit: options.batch });
  const claimed = await claimOrdersToPoll(deps.database.db, lease);
  const { unplaced = [], stopping = [], running = [] } = Object.groupBy(claimed, kindOf);
  reportOverdue(deps, claimed);
  await store(deps, unplaced, (order, at) => cancelUnplacedOrder(order, at));
  const isAnswered = [
    await ask(deps, 'poll', running, (refs) => deps.provider.readProgress(refs)),
    await ask(deps, 'cancel', stopping, (refs) => deps.provider.cancelOrders(refs)),
  ].every(Boolean);
  if (!isAnswered) return 'unavailable';
  return claimed.length < options.batch ? 'idle' : 'again';
}

/** Never tried: nobody but us knows it. To be stopped: the provider may have it. Otherwise: running. */
function kindOf(order: LikeOrderRow): 'unplaced' | 'stopping' | 'running' {
  if (!order.cancel_requested) return 'running';
  return order.state === 'Pending' && order.attempts === 0 ? 'unplaced' : 'stopping';
}

async function ask(
  deps: PollDeps,
  call: string,
  claims: LikeOrderRow[],
  request: (refs: string[]) => Promise<ProviderOutcome<ProviderProgress[]>>,
): Promise<boolean> {
  if (claims.length === 0) return true;
  const askedAt = new Date(deps.clock.now());
  const outcome = await request(claims.map(({ id }) => id));
  if (outcome.kind === 'unreadable' && claims.length > 1) {
    // Which of them it is shows when each is asked about alone; the others go on.
    for (const claim of claims) await ask(deps, call, [claim], request);
    return true;
  }
  if (outcome.kind !== 'answered') {
    logFailure(deps.log, call, outcome, claims.length);
    const delayMs = ASK_AGAIN_MS + retryDelayMs(1, deps.random);
    await store(deps, claims, (order, at) => due(order, at.getTime() + delayMs));
    return false;
  }
  const byRef = newestByRef(outcome.answer);
  const missing = claims.filter(({ id, state }) => !byRef.has(id) && state !== 'Pending');
  if (missing.length > 0) {
    deps.log.error('provider does not know orders it took', {
      count: missing.length,
      orderId: missing[0]?.id ?? '',
    });
  }
  const lastArrivalMs = deps.provider.lastArrivalMs + CLOCKS_MS;
  await store(deps, claims, (order, at) =>
    hear(order, byRef.get(order.id), { askedAt, at, lastArrivalMs }),
  );
  return true;
}

/** What becomes of a polled order. */
function hear(
  claimed: LikeOrderRow,
  news: ProviderProgress | undefined,
  { askedAt, at, lastArrivalMs }: { askedAt: Date; at: Date; lastArrivalMs: number },
): Advanced {
  const order = news ? { ...claimed, known_at: askedAt } : claimed;
  const advanced = news && advanceOrder(order, news, at);
  if (advanced?.order.finished_at) return advanced;
  const hasNeverArrived =
    news === undefined &&
    order.state === 'Pending' &&
    at.getTime() - (order.attempted_at?.getTime() ?? 0) > lastArrivalMs;
  if (hasNeverArrived) return cancelUnplacedOrder(order, at);
  const current = advanced?.order ?? order;
  const nextMs = current.cancel_requested
    ? at.getTime() + CANCEL_AGAIN_MS
    : nextPollAt(current, at).getTime();
  return { ...advanced, ...due(current, nextMs), events: advanced?.events ?? [] };
}

function due(order: LikeOrderRow, atMs: number): Advanced {
  return { order: { ...order, next_attempt_at: new Date(atMs) }, events: [] };
}

/** Stores what came of it for the orders that are still ours. */
async function store(
  deps: PollDeps,
  claims: readonly LikeOrderRow[],
  outcome: (order: LikeOrderRow, at: Date) => Advanced,
): Promise<void> {
  await eachAlone(deps, claims, async (some) => {
    const advanced = await deps.database.transaction(async (tx) => {
      const at = new Date(deps.clock.now());
      const all = (await lockClaimedOrders(tx, some)).map((order) => outcome(order, at));
      await storeAdvanced(tx, deps.ids, all, at);
      return all;
    });
    await pairHeard(deps.database, advanced);
    reportTakenBack(deps.log, advanced);
  });
}

/**
 * Judged by when an order was due, not by now: after a time in which nothing ran (a computer that slept, a
 * stop over night) every order is late, and most have ended meanwhile. Whatever is still open at the poll
 * after that one is reported.
 */
function reportOverdue(deps: PollDeps, orders: readonly DueOrder[]): void {
  const overdue = orders.filter((order) => isOverdue(order, order.dueAt));
  if (overdue.length === 0) return;
  deps.log.error('orders are past their time without an end', {
    count: overdue.length,
    orderId: overdue[0]?.id ?? '',
  });
}
