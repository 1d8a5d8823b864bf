import { Dexie } from 'dexie';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import type { CreditsTransaction } from '#shared/contract/user.ts';
import type { AccountChange, UserChange, WalletChange } from '#shared/sync/entities.ts';
import { createChunkCache } from './chunk-cache.ts';
import { createDexieStore } from './dexie-store.ts';
import { listAccounts } from './local-accounts.ts';
import type { LocalDatabase } from './local-database.ts';
import { listRowsOf, rowsAs } from './local-rows.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { findRow, isComplete } from './read-rows.ts';
import { listShown } from './scope-state.ts';
import type { StoreReader } from './sync-store.ts';

/** The signed-in person with what they can spend and see; each part as far as it was read. */
export interface LocalUser {
  user: UserChange;
  wallet: WalletChange | undefined;
  accounts: AccountChange[];
  /** The newest ones. */
  transactions: CreditsTransaction[];
}

/** The newest so many payments; the billing page reads all of them. */
const PAYMENTS = 100;
/** Who somebody is and the account they were last shown, on whichever device, before all else is here. */
export type FirstGlance = Pick<LocalUser, 'user' | 'accounts'>;

const ENTITIES: ReadonlySet<string> = new Set(['user', 'account', 'wallet', 'transaction']);

/**
 * Calls back with the person now and whenever something of them changes, and while their accounts
 * still come in with what is known of them; returns how to stop. Of thousands of accounts only those
 * chunks are read again that were written.
 */
export function watchLocalUser(
  db: LocalDatabase,
  {
    onGlance,
    onUser,
    onError,
  }: {
    onGlance: (glance: FirstGlance) => void;
    onUser: (user: LocalUser) => void;
    onError: (error: unknown) => void;
  },
): () => void {
  const chunks = createChunkCache(db);
  const store = createDexieStore(db);
  let isWatching = true;
  let isDue = true;
  let placesRead = '';
  const refresh = oneAtATime(
    async () => {
      const found = await store.read(async (tx) => {
        const places = JSON.stringify(await listShown(tx));
        if (!isDue && places === placesRead) return undefined;
        [isDue, placesRead] = [false, places];
        return findUser({ ...tx, getChunks: (keys) => chunks.get(tx, keys) });
      });
      if (!isWatching || !found) return;
      if (isWhole(found)) onUser(found);
      else onGlance(found);
    },
    (error) => {
      isDue = true;
      // A copy that is being left is closed before its page is.
      if (isWatching && !(error instanceof Dexie.DatabaseClosedError)) onError(error);
    },
  );
  chunks.onWritten(({ keys, hasPatches, hasScopes }) => {
    const isAbout = keys?.some((k) => ENTITIES.has(k.split('|')[1] ?? '')) ?? true;
    isDue ||= hasPatches || isAbout;
    if (isDue || hasScopes) refresh();
  });
  refresh();
  return () => {
    isWatching = false;
    chunks.stop();
  };
}

/** Undefined until the person's row was read, and as long as of their accounts nothing is to be shown. */
async function findUser(store: StoreReader): Promise<LocalUser | FirstGlance | undefined> {
  const user = (await listRowsOf(store, 'user'))[0];
  if (!user) return undefined;
  if (!(await isComplete(store, 'account'))) {
    const row = await findRow(store, 'account', user.preferences.activeAccountId ?? '');
    return row && { user, accounts: rowsAs<'account'>([row]) };
  }
  const accounts = (await listAccounts(store)) ?? [];
  const wallet = (await listRowsOf(store, 'wallet'))[0];
  const transactions = await listRowsOf(store, 'transaction', { limit: PAYMENTS });
  return { user, wallet, accounts, transactions };
}

const isWhole = (found: LocalUser | FirstGlance): found is LocalUser => 'transactions' in found;

/** An account as the screens know it: what was possible until a moment that has passed is over. */
export function shownAccount(row: AccountChange, nowMs: number): ConnectedAccount {
  const { accountId: _, connectedAt: __, ...account } = row;
  const { moneyBackUntil } = account;
  const isOver = moneyBackUntil !== null && Date.parse(moneyBackUntil) < nowMs;
  return isOver ? { ...account, moneyBackUntil: null, moneyBackAmount: null } : account;
}
