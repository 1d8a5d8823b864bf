import { ADDED_LIMIT } from '#shared/domain/accounts/bulk.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { LIMITS, usesLeft } from '#server/identity/limits/rate-limit.ts';
import {
  ACCOUNTS_LIMIT,
  findAccount,
  tooManyAccounts,
} from '#server/network/accounts/account.repository.ts';
import { addAccount } from '#server/network/accounts/add-account.service.ts';
import { countLookUpOfMany } from '#server/network/accounts/look-up-account.ts';
import { findShare } from '#server/network/allowance/paying.repository.ts';
import { removeAccount } from '../accounts/remove-account.service.ts';
import type { Applied } from './apply-change.service.ts';
import {
  type ItemClaim,
  listLastAdded,
  type NewItem,
  type OperationKey,
} from './bulk.repository.ts';
import { holdItem } from './claimed-items.repository.ts';
import { countAdded, findKnownNames } from './planned-items.repository.ts';

/**
 * Plans which of a page's names are added, as far as that is known without asking the network: a name that is
 * connected is the same already; for the others there has to be room, and look-ups before a first payment.
 */
export async function createAddPlan(
  deps: Pick<Deps, 'clock' | 'settings'>,
  tx: Tx,
  { key, from, names }: { key: OperationKey; from: number; names: readonly string[] },
): Promise<(igUsername: string) => Pick<NewItem, 'outcome'>> {
  const { workspaceId } = key;
  const { accounts, removed } = await findKnownNames(tx, workspaceId, names);
  const back = new Set(removed);
  let added = await countAdded(tx, key, from);
  let room = ACCOUNTS_LIMIT - accounts - added;
  const isUnpaid = (await findShare(tx, workspaceId)) === 'unpaid';
  const unpaid = { ...LIMITS.unpaidLookUp, key: workspaceId };
  const left = isUnpaid ? await usesLeft({ ...deps, database: { db: tx } }, unpaid) : Infinity;
  return (igUsername) => {
    if (added >= ADDED_LIMIT) {
      throw new ApiError('invalid_input', `Please add at most ${ADDED_LIMIT} accounts at once.`);
    }
    if (added >= left) throw tooManyUnpaid(left);
    if (!back.has(igUsername)) {
      if (room <= 0) throw tooManyAccounts();
      room -= 1;
    }
    added += 1;
    return { outcome: 'planned' };
  };
}

function tooManyUnpaid(left: number): ApiError {
  const now = left === 0 ? 'none are' : left === 1 ? '1 is' : `${left} are`;
  return new ApiError(
    'rate_limited',
    `Before your first payment you can look up ${LIMITS.unpaidLookUp.uses} accounts a day, and ${now} left now. Please add this one tomorrow, or choose a plan for an account you’ve connected.`,
  );
}

/**
 * Connects an account as the dialog of a single one does. It gets the item's id, so whoever repeats the item after a
 * crash finds it, and can take it back.
 * @throws ApiError it can't be added; `rate_limited`: not in this minute
 */
export async function applyAdd(deps: Deps, item: ItemClaim): Promise<Applied> {
  const { workspace_id: workspaceId, startedBy: userId, ig_username: igUsername } = item;
  const newId = item.attempt_id;
  const done = { kind: 'done', chargedCents: 0, leftAs: null } as const;
  const before = await findAccount(deps.database.db, workspaceId, newId);
  if (before?.removed_at === null) return { ...done, accountId: newId, undo: { kind: 'remove' } };
  await refuseUnreadable(deps, item);
  await countLookUpOfMany(deps, workspaceId);
  const added = await addAccount(deps, {
    workspaceId,
    userId,
    igUsername,
    newId,
    isCounted: true,
    check: (tx) => holdItem(tx, item),
  });
  const { accountId, isNew } = added;
  return { ...done, accountId, undo: isNew ? { kind: 'remove' } : null };
}

/** After so many names in a row that can't be read, it is the list: the network isn't asked for the others. */
const UNREADABLE_LIMIT = 25;

async function refuseUnreadable({ database: { db } }: Deps, item: ItemClaim): Promise<void> {
  const codes = await listLastAdded(db, item, UNREADABLE_LIMIT);
  const isList = codes.length === UNREADABLE_LIMIT && codes.every((code) => code === UNREADABLE);
  if (!isList) return;
  throw new ApiError(
    UNREADABLE,
    `We couldn’t read any of the ${UNREADABLE_LIMIT} names before this one, so we stopped. Please check your list and try again.`,
  );
}

const UNREADABLE = 'account_unreadable';

/**
 * Takes back that an account was added.
 * @throws ApiError it stays: it has a plan by now, or is the only one
 */
export async function applyRemove(deps: Deps, item: ItemClaim): Promise<Applied> {
  const { workspace_id: workspaceId, account_id: accountId, startedBy: userId } = item;
  const account =
    accountId === null ? undefined : await findAccount(deps.database.db, workspaceId, accountId);
  if (account?.removed_at === null) {
    await removeAccount(deps, { workspaceId, userId, igUsername: account.ig_username });
  }
  return { kind: 'done', chargedCents: 0, leftAs: null, undo: null };
}
