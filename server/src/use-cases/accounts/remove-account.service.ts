import type { WorkspaceId } from '#shared/domain/ids.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { findOpenCharge } from '#server/money/charges/waiting-charge.repository.ts';
import { findUnendedSubscription } from '#server/money/subscriptions/subscription.repository.ts';
import { replaceDefaultAccount } from '#server/identity/users/user.repository.ts';
import { forgetShownAccount } from '#server/identity/users/user-preference.repository.ts';
import { lockWorkspace } from '#server/identity/users/workspace-lock.repository.ts';
import {
  type AccountRow,
  getAccountByUsername,
  listAccounts,
} from '#server/network/accounts/account.repository.ts';
import {
  hasUnfinishedOrder,
  markRemoved,
} from '#server/network/accounts/account-removal.repository.ts';
import {
  deleteAccountRow,
  isWithoutHistory,
  lockSchedule,
} from '#server/network/accounts/account-rename.repository.ts';
import { stopPolling } from '#server/network/accounts/poll-schedule.repository.ts';

interface Removal {
  workspaceId: WorkspaceId;
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
    const account = await getAccountByUsername(tx, workspaceId, igUsername);
    const key = { workspaceId, accountId: account.id };
    const next = await checkRemovable(tx, account);
    await lockSchedule(tx, key);
    await stopPolling(tx, key);
    await replaceDefaultAccount(tx, key, next.id);
    await forgetShownAccount(tx, key);
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
  const open = await findOpenCharge(tx, workspaceId, { accountId });
  if (open) {
    throw inUse(
      open.state === 'needs_action'
        ? `A payment for @${name} is waiting for you to confirm it with your bank. Please confirm or cancel it first.`
        : `A payment for @${name} is being checked. Please try again in a few minutes.`,
    );
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
