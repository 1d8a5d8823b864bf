import type { Db, Tx } from '#server/kit/db/database.ts';
import { findOpenCharge } from '../charges/waiting-charge.repository.ts';
import {
  findSubscription,
  lockReservation,
  moveReservation,
  type ReservationRow,
  reserveNetworkAccount,
} from './subscription.repository.ts';

/*
 * Whose a network account is: at most one unended plan has it, in the whole world.
 *
 *   free ──a checkout begins──> kept for it ──it pays──> its plan's, until that ends
 *                                   │
 *                                   └─ it waits at its bank: others may begin, too
 *
 * - A card that never pays costs nothing and could keep an account from everybody for an hour, so who only
 *   waits keeps nobody out: of all of them the first that pays has it.
 * - Whoever pays later gets nothing, and the money back.
 * - The row is the lock. Who finds it there reads what stands behind it only once it is held.
 */

/** Whether the checkout that keeps an account waits at its bank, and has bought nothing. */
export async function isOnlyWaiting(db: Db, holder: ReservationRow): Promise<boolean> {
  const { workspace_id: workspaceId, subscription_id: subscriptionId } = holder;
  const open = await findOpenCharge(db, workspaceId, { kind: 'subscription', subscriptionId });
  return open?.state === 'needs_action';
}

/**
 * Keeps a network account for a checkout that begins, where nobody does.
 * @returns whether it may go on: where somebody else only waits it has to pay first
 */
export async function keepNetworkAccount(tx: Tx, ours: ReservationRow): Promise<boolean> {
  const holder = await takeIfFree(tx, ours);
  return holder === 'ours' || isOnlyWaiting(tx, holder);
}

/** Makes a network account that of a checkout that is paid, or of a plan. @returns false: it is another plan's */
export async function takeNetworkAccount(
  tx: Tx,
  ours: ReservationRow,
  givesWay: (tx: Tx, holder: ReservationRow) => Promise<boolean>,
): Promise<boolean> {
  const holder = await takeIfFree(tx, ours);
  if (holder === 'ours') return true;
  if (!(await givesWay(tx, holder))) return false;
  await moveReservation(tx, ours);
  return true;
}

/** Whoever has no plan yet was slower. */
export async function hasNoPlan(tx: Tx, holder: ReservationRow): Promise<boolean> {
  return (await findSubscription(tx, holder)) === undefined;
}

/** @returns who has it, held until the end of the transaction */
async function takeIfFree(tx: Tx, ours: ReservationRow): Promise<ReservationRow | 'ours'> {
  for (;;) {
    if (await reserveNetworkAccount(tx, ours)) return 'ours';
    const holder = await lockReservation(tx, ours.ig_id);
    if (holder) return holder.subscription_id === ours.subscription_id ? 'ours' : holder;
  }
}
