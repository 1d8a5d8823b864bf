import type { AccountId, IgId, WorkspaceId } from '#shared/domain/ids.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import { isUniqueViolation } from '#server/kit/db/database-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { claimDefaultAccount } from '#server/identity/users/user.repository.ts';
import { customerGone, keepWorkspace } from '#server/identity/users/workspace-lock.repository.ts';
import { findAccountByUsername, findKnownAccount, insertAccount } from './account.repository.ts';
import { connectAgain } from './account-removal.repository.ts';
import { lookUpProfile, type ReadProfile } from './look-up-account.ts';
import { storeAccountReading } from './reading.repository.ts';

interface AddedAccount {
  igUsername: string;
  igId: IgId;
  accountId: AccountId;
  /** It wasn't connected before. */
  isNew: boolean;
}

interface NewAccount {
  workspaceId: WorkspaceId;
  userId: string;
  /** Of the client, where it wasn't counted before. */
  address?: string;
  igUsername: string;
  /** As one of many. */
  isCounted?: boolean;
  /** The account's, should there be none yet. */
  newId?: AccountId;
  /** Refuses it after all, in the transaction that connects it. */
  check?: (tx: Tx) => Promise<void>;
}

/**
 * Looks a name up and connects the account, still without a plan. An account that is connected already
 * is answered as it is, so the call can be repeated; one that was removed comes back as it was.
 * @throws ApiError `too_many_accounts`, and as `lookUpProfile`
 */
export async function addAccount(
  deps: Pick<Deps, 'clock' | 'database' | 'ids' | 'log' | 'network' | 'random' | 'settings'>,
  request: NewAccount,
): Promise<AddedAccount> {
  const reading = await lookUpProfile(deps, request);
  const connectOnce = () =>
    deps.database.transaction((tx) =>
      connect(tx, request.newId ?? deps.ids.uuid(), request, reading, new Date(deps.clock.now())),
    );
  try {
    return await connectOnce();
  } catch (error) {
    // A duplicate of this request has connected it in between: now it is there to be found.
    const isDuplicate =
      isUniqueViolation(error, 'account_username_is_connected') ||
      isUniqueViolation(error, 'account_is_connected');
    if (!isDuplicate) throw error;
    return connectOnce();
  }
}

async function connect(
  tx: Tx,
  newId: string,
  { workspaceId, userId, igUsername, check }: NewAccount,
  reading: ReadProfile,
  now: Date,
): Promise<AddedAccount> {
  if (!(await keepWorkspace(tx, workspaceId))) throw customerGone();
  await check?.(tx);
  const { igId } = reading.account;
  // By its id first: an account renamed on the network is still the one that is connected.
  const known =
    (await findKnownAccount(tx, workspaceId, igId)) ??
    (await findAccountByUsername(tx, workspaceId, igUsername));
  const accountId = known?.id ?? newId;
  const isBack = known !== undefined && known.removed_at !== null;
  if (isBack) await connectAgain(tx, { workspaceId, accountId, igUsername });
  if (!known) await insertAccount(tx, { workspaceId, id: accountId, igUsername, now });
  const stored = await storeAccountReading(tx, { workspaceId, accountId, reading, now });
  if (stored === 'other_account') {
    throw new ApiError(
      'account_unreadable',
      `@${igUsername} is now a different account from the one you connected. Please use “Change username” on that one first.`,
    );
  }
  if (!known || isBack) {
    await claimDefaultAccount(tx, { workspaceId, userId }, accountId);
    await appendAudit(tx, {
      workspaceId,
      actor: userId,
      action: 'account_connected',
      subject: accountId,
      now,
    });
  }
  const isNew = !known || isBack;
  return { igUsername: isNew ? igUsername : known.ig_username, igId, accountId, isNew };
}
