import type { Job } from '#server/kit/jobs/job.ts';
import { createLoop, type Round } from '#server/kit/jobs/loop.ts';
import { shortfallCredits } from '#shared/domain/money/like-price.ts';
import { backoffByAgeMs } from '#server/kit/async/backoff.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import {
  type LikeOrderRow,
  markSettled,
  settleAfter,
  termsOf,
} from '#server/delivery/orders/like-order.repository.ts';
import { isCustomersSide, type OrderReason } from '#shared/domain/delivery/order-reasons.ts';
import { takeReturnedCredits } from './disputed-credits.ts';
import { returnShortfall, settleOrder } from './ledger.service.ts';
import {
  listUnsettledOrders,
  lockUnsettledOrder,
  type UnsettledOrder,
} from './settle-orders.repository.ts';
import { GraphBudget } from '#server/network/allowance/graph-budget.ts';
import { NetworkReader, READ_POSTS } from '#server/network/allowance/network-reader.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';

const IDLE_MS = 1000;

/**
 * Returns what orders didn't deliver, seconds after they end (D7 allows an hour).
 *
 *   ended, credits_settled_at null ──one transaction──> ledger written, credits_settled_at set
 *       ├── short: the network is asked why first; without an answer again, up to ten minutes later
 *       └── failed: again, up to ten minutes later
 *
 * What the customer's side caused returns nothing on a plan's order; bought credits always return, and are
 * not kept waiting for the network. Asking changes nothing, so the row's lock is all the claim there is: a worker that
 * dies has done nothing, and two workers can't have the same order. Should that ever fail, the key
 * `order:<id>:settle` or `:shortfall` is unique and takes the second one's transaction with it.
 */
export function createSettleOrdersJob(deps: SettleOrdersDeps): Job {
  return createLoop(deps, {
    name: 'settle-orders',
    idleMs: IDLE_MS,
    round: () => settleEndedOrders(deps),
  });
}

type SettleOrdersDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'log' | 'network' | 'random'>;

const BATCH = 100;
const CONCURRENCY = 10;
const ASK_AGAIN_LONGEST_MS = 10 * MINUTE_MS;

/** Settles the credits of ended orders, at most so many. */
export async function settleEndedOrders(deps: SettleOrdersDeps, limit = BATCH): Promise<Round> {
  const now = new Date(deps.clock.now());
  const due = await listUnsettledOrders(deps.database.db, { now, limit });
  const causes = due.some(isUnexplained) ? await ShortfallCauses.open(deps) : undefined;
  let settled = 0;
  for (let start = 0; start < due.length; start += CONCURRENCY) {
    const outcomes = due
      .slice(start, start + CONCURRENCY)
      .map((order) => trySettle(deps, causes, order));
    settled += (await Promise.all(outcomes)).filter(Boolean).length;
  }
  await causes?.close();
  return due.length === limit && settled > 0 ? 'again' : 'idle';
}

/** It fell short, and not for a reason of the customer's side that is known; a deleted account's isn't asked for. */
function isUnexplained({ remains, reason, ig_id: igId }: LikeOrderRow): boolean {
  return remains > 0 && igId !== '' && !isCustomersSide(reason);
}

/** One order that can't be settled must not keep the others' credits back, nor may a hundred of them. */
async function trySettle(
  deps: SettleOrdersDeps,
  causes: ShortfallCauses | undefined,
  order: UnsettledOrder,
): Promise<boolean> {
  try {
    const cause = causes && isUnexplained(order) ? await causes.find(order) : undefined;
    if (cause?.kind === 'unknown' && order.kind === 'automatic') {
      await settleAfter(deps.database.db, order, askAgainAt(deps, order, cause.retryAfterMs));
      return false;
    }
    return await deps.database.transaction((tx) => settle(tx, deps, order, cause));
  } catch (error) {
    deps.log.error('order not settled', { orderId: order.id, error });
    const again = askAgainAt(deps, order, UNKNOWN.retryAfterMs);
    // Where this fails too, the order is simply due again.
    await settleAfter(deps.database.db, order, again).catch(() => undefined);
    return false;
  }
}

/** As late as the order has waited, so that a long outage is asked about ever less, up to ten minutes. */
function askAgainAt({ clock }: SettleOrdersDeps, order: LikeOrderRow, firstMs: number): Date {
  const nowMs = clock.now();
  const waitedMs = nowMs - (order.finished_at?.getTime() ?? nowMs);
  return new Date(nowMs + backoffByAgeMs(waitedMs, { firstMs, longestMs: ASK_AGAIN_LONGEST_MS }));
}

/** @returns whether it was this call that settled it */
async function settle(
  tx: Tx,
  deps: SettleOrdersDeps,
  order: UnsettledOrder,
  cause: ShortfallCause | undefined,
): Promise<boolean> {
  const locked = await lockUnsettledOrder(tx, order);
  if (!locked) return false;
  const now = new Date(deps.clock.now());
  const reason = cause?.kind === 'customer' ? cause.reason : order.reason;
  const { workspace_id: workspaceId, id: orderId, igUsername, shortcode } = order;
  const subject = { workspaceId, orderId, igUsername, shortcode, now };
  const likes = Math.max(0, order.ordered - order.delivered);
  if (order.kind === 'credit') {
    // What was bought always returns, like for like.
    await settleOrder(tx, deps, { ...subject, ordered: order.ordered, delivered: order.delivered });
    await markSettled(tx, order, { reason, creditsReturned: likes, now });
    const returned = { workspaceId, orderId, detectedAt: order.detected_at, returned: likes, now };
    await takeReturnedCredits(tx, deps, returned);
    return true;
  }
  const isProviders = cause?.kind === 'provider' && !locked.isMoneyGone;
  const credits = isProviders && likes > 0 ? shortfallCredits(likes, termsOf(order)) : 0;
  if (credits > 0) await returnShortfall(tx, deps, { ...subject, likes, credits });
  await markSettled(tx, order, { reason, creditsReturned: credits, now });
  return true;
}

/** Whose side it was, as the network has it. */
type ShortfallCause =
  | { kind: 'customer'; reason: Extract<OrderReason, 'post_deleted' | 'account_unreadable'> }
  /** Account and post are there, so it was the provider's. */
  | { kind: 'provider' }
  /** The network doesn't answer, or lets us ask no more. */
  | { kind: 'unknown'; retryAfterMs: number };

const UNKNOWN = { kind: 'unknown', retryAfterMs: 30_000 } as const;

/** Asks the network why orders fell short (D7); open it once a round. */
class ShortfallCauses {
  readonly #budget: GraphBudget;
  readonly #reader: NetworkReader;

  private constructor(deps: SettleOrdersDeps, budget: GraphBudget) {
    this.#budget = budget;
    this.#reader = new NetworkReader(deps, budget);
  }

  static async open(deps: SettleOrdersDeps): Promise<ShortfallCauses> {
    const budget = new GraphBudget(deps);
    await budget.refresh();
    return new ShortfallCauses(deps, budget);
  }

  /** The account first: of a private one the network shows no post either. */
  async find(order: UnsettledOrder): Promise<ShortfallCause> {
    const { ig_id: igId, post_id: postId, igUsername, accountIgId } = order;
    if (igId === accountIgId) {
      const page = { username: igUsername, limit: READ_POSTS.profile, share: 'paying' } as const;
      const reading = await this.#reader.readPage(page);
      if (reading.kind === 'unreadable') return { kind: 'customer', reason: 'account_unreadable' };
      if (reading.kind === 'throttled') return { ...UNKNOWN, retryAfterMs: reading.retryAfterMs };
      if (reading.kind !== 'read') return UNKNOWN;
      if (reading.account.igId !== igId) return { kind: 'customer', reason: 'account_unreadable' };
    }
    const media = await this.#reader.readMedia(postId, undefined, 'paying');
    if (media.kind === 'gone') return { kind: 'customer', reason: 'post_deleted' };
    return media.kind === 'exists' ? { kind: 'provider' } : UNKNOWN;
  }

  async close(): Promise<void> {
    await this.#budget.save();
  }
}
