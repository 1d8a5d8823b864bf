import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { claimOwnership, deleteProof } from '../ownership/ownership.repository.ts';
import { displaceSubscription } from '../subscriptions/displace-subscription.ts';
import { forfeitMoneyBack, freeMoneyBack } from '../subscriptions/money-back-account.repository.ts';
import { lockSubscription } from '../subscriptions/subscription-work.repository.ts';
import {
  findReservation,
  lockReservation,
  moveReservation,
  reserveNetworkAccount,
  type ReservationRow,
} from './reservation.repository.ts';

/** A network account, and the paid checkout of who has shown that it is theirs. */
export interface ProvedCheckout {
  workspaceId: string;
  subscriptionId: string;
  igId: string;
  accountHash: string;
}

/**
 * Makes a network account the checkout's: another plan for it is displaced, and its money-back is free
 * again. The proof has counted then.
 *
 * Locks are taken in the order subscription, reservation, as everywhere.
 *
 * @returns false: somebody else showed lately that it is theirs, or it changed hands just now
 */
export async function takeOverAccount(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  checkout: ProvedCheckout,
  now: Date,
): Promise<boolean> {
  const { workspaceId, igId, accountHash } = checkout;
  const holder = await findReservation(tx, igId);
  if (!(await takeReservation(tx, deps, checkout, { holder, now }))) return false;
  await freeMoneyBack(tx, accountHash, workspaceId);
  await deleteProof(tx, { workspaceId, igId });
  return true;
}

async function takeReservation(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  { workspaceId, subscriptionId, igId, accountHash }: ProvedCheckout,
  { holder, now }: { holder: ReservationRow | undefined; now: Date },
): Promise<boolean> {
  const ours = { ig_id: igId, workspace_id: workspaceId, subscription_id: subscriptionId };
  if (!holder) return reserveNetworkAccount(tx, ours);
  if (holder.subscription_id === subscriptionId) return true;
  const other = { workspaceId: holder.workspace_id, subscriptionId: holder.subscription_id };
  const displaced = await lockSubscription(tx, other);
  const held = await lockReservation(tx, igId);
  if (held?.subscription_id !== holder.subscription_id) return false;
  if (!(await claimOwnership(tx, { accountHash, workspaceId, now }))) return false;
  // Without a subscription it is a payment under way, whose money goes back when it arrives.
  if (displaced) {
    await displaceSubscription(tx, deps, displaced, now);
    await forfeitMoneyBack(tx, accountHash, displaced);
  }
  await moveReservation(tx, ours);
  return true;
}
