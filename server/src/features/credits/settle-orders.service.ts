import type { Deps } from '../../deps.ts';
import type { Round } from '../../jobs/loop.ts';
import { returnShortfall, settleOrder } from './ledger.service.ts';
import { shortfallOf } from './owed-credits.ts';
import {
  listUnsettledOrders,
  lockUnsettledOrder,
  markSettled,
  type OrderKey,
} from './settle-orders.repository.ts';

export type SettleOrdersDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'log'>;

const BATCH = 100;

/** Settles the credits of ended orders, at most a hundred. */
export async function settleEndedOrders(deps: SettleOrdersDeps): Promise<Round> {
  const due = await listUnsettledOrders(deps.database.db, BATCH);
  let settled = 0;
  for (const key of due) {
    try {
      if (await settleOne(deps, key)) settled += 1;
    } catch (error) {
      // One order that can't be settled must not keep the others' credits back.
      deps.log.error('order not settled', { orderId: key.orderId, error });
    }
  }
  return due.length === BATCH && settled > 0 ? 'again' : 'idle';
}

/** @returns whether it was this call that settled it */
async function settleOne(deps: SettleOrdersDeps, key: OrderKey): Promise<boolean> {
  return deps.database.transaction(async (tx) => {
    const order = await lockUnsettledOrder(tx, key);
    if (!order) return false;
    const now = new Date(deps.clock.now());
    const { igUsername, shortcode, ordered, delivered } = order;
    const subject = { ...key, igUsername, shortcode, now };
    const shortfall = shortfallOf(order);
    if (order.kind === 'credit') await settleOrder(tx, deps, { ...subject, ordered, delivered });
    else if (shortfall > 0) await returnShortfall(tx, deps, { ...subject, credits: shortfall });
    await markSettled(tx, key, now);
    return true;
  });
}
