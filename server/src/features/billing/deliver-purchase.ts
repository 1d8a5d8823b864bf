import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { deliverPack } from '../credits/deliver-pack.ts';
import type { ChargeCase } from './charge.repository.ts';
import { releaseReservation } from './reservation.repository.ts';
import { startSubscription } from './start-subscription.ts';

/**
 * Gives what a charge has paid for, with the charge locked.
 * @returns whether it could be given; if not, the money has to go back
 */
export async function deliverPurchase(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  paid: ChargeCase,
  now: Date,
): Promise<boolean> {
  const { checkout } = paid;
  if (checkout.kind === 'subscription') {
    return startSubscription(tx, deps, { ...paid, checkout }, now);
  }
  await deliverPack(tx, deps, { ...paid, checkout }, now);
  return true;
}

/** Lets go of what was kept for a purchase that won't be. */
export async function releasePurchase(tx: Tx, { checkout }: ChargeCase): Promise<void> {
  if (checkout.kind === 'subscription') await releaseReservation(tx, checkout);
}
