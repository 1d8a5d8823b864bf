import type { AccountChange } from '#shared/sync/entities.ts';
import { type LocalDatabase, readLocal } from '../store/local-database.ts';
import { findRowOf, hasRows, isComplete, findUserRow, listRowsOf } from '../store/read-rows.ts';
import type { StoreReader } from '../store/sync-store.ts';

/** Whether any account is connected; undefined when that was never read. Reads no account. */
export async function hasLocalAccounts(db: LocalDatabase): Promise<boolean | undefined> {
  return readLocal(db, async (store) => {
    if (await hasRows(store, 'account')) return true;
    return (await isComplete(store, 'account')) ? false : undefined;
  });
}

/** The connected accounts, oldest first. */
export async function listAccounts(store: StoreReader): Promise<AccountChange[]> {
  const accounts = await listRowsOf(store, 'account');
  // By code unit: comparing 5,000 by the language's rules takes longer than reading them.
  return accounts
    .map((account) => ({ account, at: `${account.connectedAt} ${account.accountId}` }))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ account }) => account);
}

/** The accounts that are kept for offline, in the order of pinning; those that are gone are left out. */
export async function listPinned(store: StoreReader): Promise<AccountChange[]> {
  const user = await findUserRow(store);
  const accounts: AccountChange[] = [];
  // One by one by their ids: of thousands of accounts few are pinned.
  for (const accountId of user?.preferences.pinnedAccountIds ?? []) {
    const account = await findRowOf(store, 'account', accountId);
    if (account) accounts.push(account);
  }
  return accounts;
}

/** The network's ids of these accounts; undefined until the replica has the person and the accounts. */
export async function listLocalPinned(db: LocalDatabase): Promise<ReadonlySet<string> | undefined> {
  return readLocal(db, async (store) => {
    const isKnown = (await isComplete(store, 'user')) && (await isComplete(store, 'account'));
    if (!isKnown) return undefined;
    return new Set((await listPinned(store)).map(({ igId }) => igId));
  });
}
