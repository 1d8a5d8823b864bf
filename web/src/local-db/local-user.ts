import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import type { CreditsTransaction } from '#shared/contract/user.ts';
import type { AccountChange, UserChange, WalletChange } from '#shared/sync/entities.ts';
import { listAccounts } from './local-accounts.ts';
import type { LocalDatabase } from './local-database.ts';
import { listRowsOf, readLocal } from './local-rows.ts';
import { isComplete } from './read-rows.ts';

/** The signed-in person with what they can spend and see; each part as far as it was read. */
export interface LocalUser {
  user: UserChange;
  wallet: WalletChange | undefined;
  accounts: AccountChange[];
  transactions: CreditsTransaction[];
}

/** Undefined until the person's row and the accounts were read. */
export async function findLocalUser(db: LocalDatabase): Promise<LocalUser | undefined> {
  return readLocal(db, async (store) => {
    const user = (await listRowsOf(store, 'user'))[0];
    const accounts = await listAccounts(store);
    if (!user || !accounts || !(await isComplete(store, 'account'))) return undefined;
    const wallet = (await listRowsOf(store, 'wallet'))[0];
    return { user, wallet, accounts, transactions: await listRowsOf(store, 'transaction') };
  });
}

/** An account as the screens know it: what was possible until a moment that has passed is over. */
export function shownAccount(row: AccountChange, nowMs: number): ConnectedAccount {
  const { accountId: _, connectedAt: __, ...account } = row;
  const { moneyBackUntil } = account;
  const isOver = moneyBackUntil !== null && Date.parse(moneyBackUntil) < nowMs;
  return isOver ? { ...account, moneyBackUntil: null, moneyBackAmount: null } : account;
}
