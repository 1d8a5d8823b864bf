import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import type { LocalDatabase } from './local-database.ts';
import { rowDifference } from './row-difference.ts';

export async function listLocalAccounts(db: LocalDatabase): Promise<ConnectedAccount[]> {
  return db.accounts.toArray();
}

/** Keeps the connected accounts exactly as the server answered them. */
export async function keepAccounts(
  db: LocalDatabase,
  accounts: readonly ConnectedAccount[],
): Promise<void> {
  await db.transaction('rw', db.accounts, async () => {
    const kept = await db.accounts.toArray();
    const { changed, gone } = rowDifference(kept, accounts, (account) => account.igUsername);
    if (changed.length > 0) await db.accounts.bulkPut(changed);
    if (gone.length > 0) await db.accounts.bulkDelete(gone);
  });
}
