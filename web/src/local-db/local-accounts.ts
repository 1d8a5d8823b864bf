import type { AccountChange } from '#shared/sync/entities.ts';
import type { LocalDatabase } from './local-database.ts';
import { listRowsOf, readLocal } from './local-rows.ts';
import { hasRows, isComplete } from './read-rows.ts';
import type { StoreReader } from './sync-store.ts';

/** Whether any account is connected; undefined when that was never read. Reads no account. */
export async function hasLocalAccounts(db: LocalDatabase): Promise<boolean | undefined> {
  return readLocal(db, async (store) => {
    if (await hasRows(store, 'account')) return true;
    return (await isComplete(store, 'account')) ? false : undefined;
  });
}

/** The connected accounts, oldest first; undefined when they were never read. */
export async function listAccounts(store: StoreReader): Promise<AccountChange[] | undefined> {
  const accounts = await listRowsOf(store, 'account');
  if (accounts.length === 0 && !(await isComplete(store, 'account'))) return undefined;
  // By code unit: comparing 5,000 by the language's rules takes longer than reading them.
  return accounts
    .map((account) => ({ account, at: `${account.connectedAt} ${account.accountId}` }))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ account }) => account);
}
