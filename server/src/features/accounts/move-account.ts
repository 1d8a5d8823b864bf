import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { hasOpenCharge } from '../billing/charge.repository.ts';
import { accountAlreadySubscribed, ownershipNeeded } from '../billing/payment-error.ts';
import { releaseReservation, reserveNetworkAccount } from '../billing/reservation.repository.ts';
import {
  findUnendedSubscription,
  type SubscriptionRow,
} from '../billing/subscription.repository.ts';
import { moveSubscription, retakeBaseline } from '../billing/subscription-target.repository.ts';
import { storePosts } from '../posts/post.repository.ts';
import { hashServedAccounts } from '../subscriptions/money-back-account.repository.ts';
import { endPause } from '../subscriptions/pause.service.ts';
import { tellDisplaced } from '../subscriptions/tell-displaced.ts';
import { findUser, setDefaultAccount } from '../users/user.repository.ts';
import {
  type AccountRow,
  findAccountByUsername,
  findKnownAccount,
  insertAccount,
} from './account.repository.ts';
import {
  copySettings,
  deleteAccountRow,
  isWithoutHistory,
  renameAccount,
} from './account-rename.repository.ts';
import { connectAgain } from './account-removal.repository.ts';
import { startWatching, stopWatching, type WatchKey } from './account-watch.repository.ts';
import type { ReadAccount } from './look-up-account.ts';
import { storeAccountReading } from './store-reading.ts';

/** From a connected account, locked with its subscription and watch, to another network account. */
export interface AccountMove {
  userId: string;
  igUsername: string;
  account: AccountRow;
  subscription: SubscriptionRow | undefined;
  isWatched: boolean;
  reading: ReadAccount;
  now: Date;
}

/**
 * Connects the other network account and moves the subscription there, all or nothing.
 * @returns id of the account that carries the name now
 * @throws ApiError `account_already_subscribed`
 */
export async function moveToOtherAccount(
  tx: Tx,
  deps: Pick<Deps, 'ids' | 'settings'>,
  move: AccountMove,
): Promise<string> {
  const { account, reading, userId } = move;
  const { workspace_id: workspaceId, id: oldId } = account;
  const targetId = await openTarget(tx, deps.ids.uuid(), move);
  const target = { workspaceId, accountId: targetId };
  await storeAccountReading(tx, { ...target, reading });
  await storePosts(tx, { ...target, reading });
  if (move.subscription) {
    await takeSubscription(tx, deps, { ...move, subscription: move.subscription }, targetId);
  }
  await stopWatching(tx, { workspaceId, accountId: oldId });
  await goOn(tx, deps, move, target);
  const user = await findUser(tx, { workspaceId, userId });
  if (user?.default_account_id === oldId) {
    await setDefaultAccount(tx, { workspaceId, userId }, targetId);
  }
  if (!move.subscription) await dropIfUnused(tx, workspaceId, oldId);
  return targetId;
}

/** Likes go on where they did; a plan that waited for another account goes on with this one. */
async function goOn(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  { subscription, isWatched, igUsername, reading, now }: AccountMove,
  target: WatchKey,
): Promise<void> {
  if (!subscription) return;
  if (subscription.displaced_at) {
    await endPause(tx, deps, { ...subscription, account_id: target.accountId }, { now });
    // Of another account nothing is told apart by the end of the pause.
    await retakeBaseline(tx, subscription, reading);
  }
  if (isWatched || subscription.displaced_at) {
    await startWatching(tx, { ...target, igUsername, now });
  }
}

/** The row of the other network account: one that is connected already, or a new one. */
async function openTarget(tx: Tx, newId: string, move: AccountMove): Promise<string> {
  const { account, igUsername, reading, now } = move;
  const workspaceId = account.workspace_id;
  const named = await findAccountByUsername(tx, workspaceId, igUsername);
  const known =
    (await findKnownAccount(tx, workspaceId, reading.account.igId)) ??
    (named?.ig_id === null ? named : undefined);
  if (!known) {
    await insertAccount(tx, { workspaceId, id: newId, igUsername, now });
    await copySettings(tx, account, { workspaceId, accountId: newId });
    return newId;
  }
  if (move.subscription && (await findUnendedSubscription(tx, workspaceId, known.id))) {
    throw accountAlreadySubscribed(igUsername);
  }
  if (known.removed_at) {
    await connectAgain(tx, { workspaceId, accountId: known.id, igUsername });
  } else if (known.ig_username !== igUsername) {
    await renameAccount(tx, { workspaceId, accountId: known.id }, igUsername, now);
  }
  return known.id;
}

/** The reservation changes hands in this transaction: at no time are there two, or none. */
async function takeSubscription(
  tx: Tx,
  deps: Pick<Deps, 'ids' | 'settings'>,
  { igUsername, reading, subscription, now }: AccountMove & { subscription: SubscriptionRow },
  accountId: string,
): Promise<void> {
  const { igId } = reading.account;
  const isReserved = await reserveNetworkAccount(tx, {
    ig_id: igId,
    workspace_id: subscription.workspace_id,
    subscription_id: subscription.id,
  });
  if (!isReserved) throw ownershipNeeded(igUsername);
  await releaseReservation(tx, { igId: subscription.ig_id, subscriptionId: subscription.id });
  await tellDisplaced(tx, deps, subscription, now);
  const pastAccountHashes = hashServedAccounts(deps, subscription);
  await moveSubscription(tx, subscription, { accountId, igId, pastAccountHashes, now });
  await retakeBaseline(tx, subscription, reading);
}

/** A name typed wrong needn't stay in the list for ever; anything bought for it must. */
async function dropIfUnused(tx: Tx, workspaceId: string, accountId: string): Promise<void> {
  const key = { workspaceId, accountId };
  if (await hasOpenCharge(tx, workspaceId, accountId)) return;
  if (await isWithoutHistory(tx, key)) await deleteAccountRow(tx, key);
}
