import type { AccountChange } from '#shared/sync/entities.ts';
import type { LocalDatabase } from './local-database.ts';
import { listRowsOf, readLocal, rowsAs } from './local-rows.ts';
import { findRow, isComplete } from './read-rows.ts';
import type { StoreReader } from './sync-store.ts';

/** The accounts that are kept for offline, in the order of pinning; those that are gone are left out. */
export async function listPinned(store: StoreReader): Promise<AccountChange[]> {
  const [user] = await listRowsOf(store, 'user');
  const accounts: AccountChange[] = [];
  // One by one by their ids: of thousands of accounts few are pinned.
  for (const accountId of user?.preferences.pinnedAccountIds ?? []) {
    const row = await findRow(store, 'account', accountId);
    if (row) accounts.push(...rowsAs<'account'>([row]));
  }
  return accounts;
}

/** The network's ids of these accounts; undefined until the copy has the person and the accounts. */
export async function listLocalPinned(db: LocalDatabase): Promise<ReadonlySet<string> | undefined> {
  return readLocal(db, async (store) => {
    const isKnown = (await isComplete(store, 'user')) && (await isComplete(store, 'account'));
    if (!isKnown) return undefined;
    return new Set((await listPinned(store)).map(({ igId }) => igId));
  });
}
