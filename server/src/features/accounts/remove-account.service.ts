import { ApiError } from '../../api-error.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { appendAudit } from '../audit/audit.repository.ts';
import { hasOpenCharge } from '../billing/charge.repository.ts';
import { findUnendedSubscription } from '../billing/subscription.repository.ts';
import { lockWorkspace } from '../users/workspace-lock.ts';
import { type AccountRow, findAccountByUsername, listAccounts } from './account.repository.ts';
import { forgetChoices, hasUnfinishedOrder, markRemoved } from './account-removal.repository.ts';
import { deleteAccountRow, isWithoutHistory, lockWatch } from './account-rename.repository.ts';
import { stopWatching } from './account-watch.repository.ts';

export interface Removal {
  workspaceId: string;
  userId: string;
  igUsername: string;
}

/**
 * Removes an account from the customer's list (D6). Its rows stay for the books, so connecting it again
 * brings its history back, and nothing that was counted of it begins anew.
 * @throws ApiError `not_found`, `account_in_use`
 */
export async function removeAccount(
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  { workspaceId, userId, igUsername }: Removal,
): Promise<void> {
  await database.transaction(async (tx) => {
    // Whoever opens a payment holds the workspace too.
    await lockWorkspace(tx, workspaceId);
    const account = await findAccountByUsername(tx, workspaceId, igUsername);
    if (!account) {
      throw new ApiError('not_found', `@${igUsername} isn’t one of your connected accounts.`);
    }
    const key = { workspaceId, accountId: account.id };
    const next = await checkRemovable(tx, account);
    await lockWatch(tx, key);
    await stopWatching(tx, key);
    await forgetChoices(tx, key, next.id);
    const now = new Date(clock.now());
    // Of a name the network never showed there is nothing to bring back.
    const isUnknown = account.ig_id === null && (await isWithoutHistory(tx, key));
    if (isUnknown) await deleteAccountRow(tx, key);
    else await markRemoved(tx, key, now);
    const action = 'account_removed';
    await appendAudit(tx, { workspaceId, actor: userId, action, subject: account.id, now });
  });
}

/** @returns the account that takes its place as the default */
async function checkRemovable(tx: Tx, account: AccountRow): Promise<AccountRow> {
  const { workspace_id: workspaceId, id: accountId, ig_username: name } = account;
  // In this order: a payment that is settled meanwhile has become a plan.
  if (await hasOpenCharge(tx, workspaceId, accountId)) {
    throw inUse(`A payment for @${name} is being checked. Please try again in a few minutes.`);
  }
  if (await findUnendedSubscription(tx, workspaceId, accountId)) {
    throw inUse(`@${name} has a plan. Please stop the plan before you remove the account.`);
  }
  if (await hasUnfinishedOrder(tx, { workspaceId, accountId })) {
    throw inUse(
      `Likes for @${name} are still on their way. You can remove the account once they’ve arrived.`,
    );
  }
  const next = (await listAccounts(tx, workspaceId)).find(({ id }) => id !== accountId);
  if (!next) {
    throw inUse(`@${name} is your only account. Please add another one before you remove it.`);
  }
  return next;
}

function inUse(message: string): ApiError {
  return new ApiError('account_in_use', message);
}
