import type { AccountChange } from '#shared/sync/entities.ts';
import type { LocalDatabase } from './local-database.ts';
import { listRowsOf, readLocal } from './local-rows.ts';
import { isComplete } from './read-rows.ts';
import type { StoreReader } from './sync-store.ts';

/** The connected accounts, oldest first; undefined when they were never read. */
export async function listLocalAccounts(db: LocalDatabase): Promise<AccountChange[] | undefined> {
  return readLocal(db, listAccounts);
}

/** The same inside a reading of the copy. */
export async function listAccounts(store: StoreReader): Promise<AccountChange[] | undefined> {
  const accounts = await listRowsOf(store, 'account');
  if (accounts.length === 0 && !(await isComplete(store, 'account'))) return undefined;
  return accounts.sort((a, b) => order(a).localeCompare(order(b)));
}

const order = ({ connectedAt, accountId }: AccountChange): string => `${connectedAt} ${accountId}`;
