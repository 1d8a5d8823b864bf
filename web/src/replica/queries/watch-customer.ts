import { Dexie } from 'dexie';
import type { CreditsTransaction, User } from '#shared/contract/people/user.ts';
import type { AccountChange, UserChange, WalletChange } from '#shared/sync/entities.ts';
import type { OutboxItem } from '../store/outbox-item.ts';
import { findAnswered, isBehind, SHOWN_FROM } from '../store/answered.ts';
import { oneAtATime } from '#web/platform/async.ts';
import { entityOf } from '../store/chunk.ts';
import { createChunkCache } from '../store/chunk-cache.ts';
import { createDexieStore, type LocalDatabase } from '../store/local-database.ts';
import { findRowOf, isComplete, findUserRow, listRowsOf, patched } from '../store/read-rows.ts';
import { listShown } from '../store/scope-state.ts';
import type { StoreReader } from '../store/sync-store.ts';
import { listAccounts } from './accounts.ts';

/** The rows that the customer is shown from. */
export interface CustomerRows {
  user: UserChange;
  wallet: WalletChange | undefined;
  accounts: AccountChange[];
  /** The newest ones. */
  transactions: CreditsTransaction[];
}

/** The customer as the replica has them. */
export interface LocalCustomer {
  /** The server's answer, as long as the rows don't hold it. */
  answered: User | undefined;
  /** Once all accounts are here, and without an answer ahead of them. */
  rows: CustomerRows | undefined;
  /** The account they were shown last, on whichever device. */
  lastShown: AccountChange | undefined;
}

/** A live query of the customer. */
export interface CustomerQuery {
  /** Reads again; resolves when what was written until now has been told. */
  flush: () => Promise<void>;
  stop: () => void;
}

/** The newest so many payments; the billing page reads all of them. */
const PAYMENTS = 100;
const ENTITIES: ReadonlySet<string> = new Set(Object.values(SHOWN_FROM).flat());

/**
 * Calls back with the customer now and whenever something of them changes, here, in a worker or in another
 * tab, unless nothing is known of them. Of thousands of accounts only those chunks are read again that were written.
 */
export function watchCustomer(
  db: LocalDatabase,
  {
    unkept,
    onCustomer,
    onError,
  }: {
    /** An answer that is not kept, or not yet. */
    unkept: () => User | undefined;
    onCustomer: (customer: LocalCustomer) => void;
    onError: (error: unknown) => void;
  },
): CustomerQuery {
  const chunks = createChunkCache(db);
  const store = createDexieStore(db);
  let isWatching = true;
  let isDue = true;
  let shownBy = '';
  const read = async (): Promise<void> => {
    const considered = unkept();
    const found = await store.read(async (tx) => {
      const answered = await findAnswered(tx, considered);
      const by = JSON.stringify([await listShown(tx), answered?.versions]);
      if (!isDue && by === shownBy) return undefined;
      [isDue, shownBy] = [false, by];
      return findCustomer({ ...tx, getChunks: (keys) => chunks.get(tx, keys) }, answered);
    });
    // Read before an answer came: it would show what was before.
    if (considered !== unkept()) {
      isDue = true;
      return refresh();
    }
    const isKnown = found?.answered ?? found?.rows ?? found?.lastShown;
    if (isWatching && found && isKnown) onCustomer(found);
  };
  const { refresh, flush } = flushable(read, (error) => {
    isDue = true;
    // A replica that is being left is closed before its page is.
    if (isWatching && !(error instanceof Dexie.DatabaseClosedError)) onError(error);
  });
  chunks.onWritten(({ keys, hasPatches, hasScopes }) => {
    const isAbout = keys?.some((k) => ENTITIES.has(entityOf(k))) ?? true;
    isDue ||= hasPatches || isAbout;
    if (isDue || hasScopes) refresh();
  });
  refresh();
  return {
    flush: () => {
      isDue = true;
      return flush();
    },
    stop: () => {
      isWatching = false;
      chunks.stop();
    },
  };
}

/** As `oneAtATime`, and `flush` resolves when what was asked for is done. */
function flushable(work: () => Promise<void>, onError: (error: unknown) => void) {
  const waiting: Array<() => void> = [];
  const refresh = oneAtATime(async () => {
    const told = waiting.splice(0);
    await work().catch(onError);
    for (const tell of told) tell();
  }, onError);
  const flush = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      refresh();
    });
  return { refresh, flush };
}

async function findCustomer(
  store: StoreReader,
  answered: User | undefined,
): Promise<LocalCustomer> {
  const user = await findUserRow(store);
  const lastId = user?.preferences.activeAccountId;
  if (answered || !user || !(await isComplete(store, 'account'))) {
    return {
      answered: answered && (await withPending(store, answered)),
      rows: undefined,
      lastShown: lastId ? await findRowOf(store, 'account', lastId) : undefined,
    };
  }
  const accounts = await listAccounts(store);
  const wallet = (await listRowsOf(store, 'wallet'))[0];
  const transactions = await listRowsOf(store, 'transaction', { limit: PAYMENTS });
  return {
    answered: undefined,
    rows: { user, wallet, accounts, transactions },
    lastShown: accounts.find(({ accountId }) => accountId === lastId),
  };
}

/** Less the credits that were spent here since. */
async function withPending(store: StoreReader, answered: User): Promise<User> {
  const items = new Map((await store.listOutbox()).map((item) => [item.id, item]));
  const isSaid = (item: OutboxItem | undefined): boolean =>
    item?.state.kind === 'accepted' && !isBehind(answered.versions, item.state.versions);
  const since = (await store.listPatches('wallet')).filter(
    ({ itemId }) => !isSaid(items.get(itemId)),
  );
  const { credits } = answered;
  return { ...answered, credits: Number(patched({ credits }, since)?.['credits'] ?? credits) };
}
