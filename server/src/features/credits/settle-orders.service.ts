import { shortfallCredits } from '#shared/domain/shortfall-credits.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Round } from '../../jobs/loop.ts';
import { type LikeOrderRow, termsOf } from '../orders/like-order.repository.ts';
import { isCustomersSide } from '../orders/reasons.ts';
import { takeReturnedCredits } from '../disputes/disputed-credits.ts';
import { returnShortfall, settleOrder } from './ledger.service.ts';
import {
  listUnsettledOrders,
  lockUnsettledOrder,
  markSettled,
  settleAfter,
  type UnsettledOrder,
} from './settle-orders.repository.ts';
import { type ShortfallCause, ShortfallCauses } from './shortfall-cause.ts';

export type SettleOrdersDeps = Pick<
  Deps,
  'clock' | 'database' | 'ids' | 'log' | 'network' | 'random'
>;

const BATCH = 100;
const AT_ONCE = 10;
const ASK_AGAIN_LATEST_MS = 10 * 60_000;

/** Settles the credits of ended orders, at most a hundred. */
export async function settleEndedOrders(deps: SettleOrdersDeps): Promise<Round> {
  const now = new Date(deps.clock.now());
  const due = await listUnsettledOrders(deps.database.db, { now, limit: BATCH });
  const causes = due.some(isUnexplained) ? await ShortfallCauses.open(deps) : undefined;
  let settled = 0;
  for (let start = 0; start < due.length; start += AT_ONCE) {
    const outcomes = due
      .slice(start, start + AT_ONCE)
      .map((order) => trySettle(deps, causes, order));
    settled += (await Promise.all(outcomes)).filter(Boolean).length;
  }
  await causes?.close();
  return due.length === BATCH && settled > 0 ? 'again' : 'idle';
}

/** It fell short, and not for a reason of the customer's side that is known; a deleted account's isn't asked for. */
function isUnexplained({ remains, reason, ig_id: igId }: LikeOrderRow): boolean {
  return remains > 0 && igId !== '' && !isCustomersSide(reason);
}

/** One order that can't be settled must not keep the others' credits back. */
async function trySettle(
  deps: SettleOrdersDeps,
  causes: ShortfallCauses | undefined,
  order: UnsettledOrder,
): Promise<boolean> {
  try {
    const cause = causes && isUnexplained(order) ? await causes.find(askedOf(order)) : undefined;
    if (cause?.kind === 'unknown' && order.kind === 'automatic') {
      await settleAfter(deps.database.db, order, askAgainAt(deps, order, cause.retryAfterMs));
      return false;
    }
    return await deps.database.transaction((tx) => settle(tx, deps, order, cause));
  } catch (error) {
    deps.log.error('order not settled', { orderId: order.id, error });
    return false;
  }
}

const askedOf = ({ ig_id: igId, post_id: postId, igUsername, accountIgId }: UnsettledOrder) => ({
  igId,
  postId,
  igUsername,
  accountIgId,
});

/** As late as the order has waited, so that a long outage is asked about ever less, up to ten minutes. */
function askAgainAt({ clock }: SettleOrdersDeps, order: LikeOrderRow, leastMs: number): Date {
  const nowMs = clock.now();
  const waitedMs = nowMs - (order.finished_at?.getTime() ?? nowMs);
  return new Date(nowMs + Math.min(ASK_AGAIN_LATEST_MS, Math.max(leastMs, waitedMs)));
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
