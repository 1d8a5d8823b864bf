import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { checkBudgets } from '#server/money/budgets/budgets.service.ts';
import { findOpenCharge } from '#server/money/charges/waiting-charge.repository.ts';
import { isOnlyWaiting, takeNetworkAccount } from '#server/money/subscriptions/network-account.ts';
import { accountAlreadySubscribed, ownershipNeeded } from '#server/money/charges/payment-error.ts';
import {
  findUnendedSubscription,
  moveSubscription,
  releaseReservation,
  retakeBaseline,
  type SubscriptionRow,
} from '#server/money/subscriptions/subscription.repository.ts';
import { storePosts } from '#server/network/posts/post.repository.ts';
import { hashServedAccounts } from '#server/money/subscriptions/refund-right.repository.ts';
import { endPause } from '#server/money/cancellation/pause.service.ts';
import { comingPlan } from '#server/money/subscriptions/subscription-clock.ts';
import { tellDisplaced } from '#server/money/subscriptions/end-subscription.ts';
import { findUser, setDefaultAccount } from '#server/identity/users/user.repository.ts';
import {
  type AccountRow,
  findAccountByUsername,
  findKnownAccount,
  insertAccount,
} from '#server/network/accounts/account.repository.ts';
import {
  copySettings,
  deleteAccountRow,
  isWithoutHistory,
  renameAccount,
} from '#server/network/accounts/account-rename.repository.ts';
import { connectAgain } from '#server/network/accounts/account-removal.repository.ts';
import { startPolling, stopPolling } from '#server/network/accounts/poll-schedule.repository.ts';
import type { AccountKey } from '#server/network/accounts/account.repository.ts';
import type { ReadAccount } from '#server/network/accounts/look-up-account.ts';
import { storeAccountReading } from '#server/network/accounts/reading.repository.ts';

/** From a connected account, locked with its subscription and poll schedule, to another network account. */
interface AccountMove {
  userId: string;
  igUsername: string;
  account: AccountRow;
  subscription: SubscriptionRow | undefined;
  isPolled: boolean;
  reading: ReadAccount;
  now: Date;
}

/**
 * Connects the other network account and moves the subscription there, all or nothing.
 * @returns id of the account that carries the name now
 * @throws ApiError `account_already_subscribed`, `budget_reached`
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
  await storeAccountReading(tx, { ...target, reading, now: move.now });
  await storePosts(tx, { ...target, reading });
  if (move.subscription) {
    await takeSubscription(tx, deps, { ...move, subscription: move.subscription }, targetId);
  }
  await stopPolling(tx, { workspaceId, accountId: oldId });
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
  { subscription, isPolled, igUsername, reading, now }: AccountMove,
  target: AccountKey,
): Promise<void> {
  if (!subscription) return;
  if (subscription.displaced_at) {
    await endPause(tx, deps, { ...subscription, account_id: target.accountId }, { now });
    // Of another account nothing is told apart by the end of the pause.
    await retakeBaseline(tx, subscription, reading);
  }
  if (isPolled || subscription.displaced_at) {
    await startPolling(tx, { ...target, igUsername, now });
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
  {
    account,
    igUsername,
    reading,
    subscription,
    now,
  }: AccountMove & { subscription: SubscriptionRow },
  accountId: AccountId,
): Promise<void> {
  const { igId } = reading.account;
  const ours = {
    ig_id: igId,
    workspace_id: subscription.workspace_id,
    subscription_id: subscription.id,
  };
  if (!(await takeNetworkAccount(tx, ours, isOnlyWaiting))) throw ownershipNeeded(igUsername);
  await releaseReservation(tx, { igId: subscription.ig_id, subscriptionId: subscription.id });
  await tellDisplaced(tx, deps, subscription, now);
  const pastAccountHashes = hashServedAccounts(deps, subscription);
  await moveSubscription(tx, subscription, { accountId, igId, pastAccountHashes, now });
  await retakeBaseline(tx, subscription, reading);
  if (subscription.ends_at) return;
  const movedFrom = { clientId: account.client_id };
  await checkTarget(tx, { ...subscription, account_id: accountId }, { movedFrom, now });
}

/** The other account may have a budget of its own, and another client. @throws ApiError `budget_reached` */
function checkTarget(
  tx: Tx,
  row: SubscriptionRow,
  { movedFrom, now }: { movedFrom: { clientId: string | null }; now: Date },
): Promise<void> {
  const { workspace_id: workspaceId, account_id: accountId, next_billing_at: addedFrom } = row;
  const addedMonthlyCents = comingPlan(row).priceCents;
  const added = { amountCents: 0, addedMonthlyCents, addedFrom, movedFrom };
  return checkBudgets(tx, { workspaceId, accountId, ...added, now });
}

/** A name typed wrong needn't stay in the list for ever; anything bought for it must. */
async function dropIfUnused(tx: Tx, workspaceId: WorkspaceId, accountId: AccountId): Promise<void> {
  const key = { workspaceId, accountId };
  if (await findOpenCharge(tx, workspaceId, { accountId })) return;
  if (await isWithoutHistory(tx, key)) await deleteAccountRow(tx, key);
}
