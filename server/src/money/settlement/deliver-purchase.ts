import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { addPack } from '../credits/ledger.service.ts';
import { applyPlanChange } from '../subscriptions/apply-plan-change.ts';
import { renewalFailed, renewSubscription } from '../subscriptions/renew-subscription.ts';
import type { ChargeCase, Unpaid } from '../charges/charge.repository.ts';
import { recordPayment } from '../charges/payment.repository.ts';
import { releaseReservation } from '../subscriptions/subscription.repository.ts';
import { startSubscription } from '../subscriptions/start-subscription.ts';

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
  switch (checkout.kind) {
    case 'subscription':
      return startSubscription(tx, deps, { ...paid, checkout }, now);
    case 'renewal':
      return renewSubscription(tx, deps, { ...paid, checkout }, now);
    case 'plan_change':
      return applyPlanChange(tx, deps, { ...paid, checkout }, now);
    case 'credits':
      break;
  }
  const { workspaceId, chargeId } = paid;
  await addPack(tx, deps, { workspaceId, chargeId, credits: checkout.credits, now });
  await recordPayment(tx, paid, { id: deps.ids.uuid(), igUsername: null, now });
  return true;
}

/** Lets go of what was kept for a purchase that won't be. */
export async function releasePurchase(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  charge: ChargeCase,
  unpaid: Unpaid,
  now: Date,
): Promise<void> {
  const { checkout } = charge;
  switch (checkout.kind) {
    case 'subscription':
      return releaseReservation(tx, checkout);
    case 'renewal':
      return renewalFailed(tx, deps, { ...charge, checkout }, unpaid, now);
    case 'plan_change':
    case 'credits':
      break;
  }
}
