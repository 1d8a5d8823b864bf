import { withinTime } from '#web/platform/async.ts';
import { Dexie } from 'dexie';
import { browserPictures } from '../pictures/browser-pictures.ts';
import {
  LocalDatabase,
  createDexieStore,
  isLocalDatabaseName,
  localUserId,
} from '../store/local-database.ts';
import { pauseChanges, dropAccepted } from '../outbox/outbox.ts';
import { IDENTITY, raiseTerm, type StoreWriter } from '../store/sync-store.ts';

/** Removes a user's rows, queued changes and kept pictures; open windows let go of them by themselves. */
export async function wipeReplica(userId: string): Promise<void> {
  const db = new LocalDatabase(userId);
  // What a newer version laid out can't be opened here, and goes as a whole.
  const isEmpty = await emptyTables(db).then(
    () => true,
    () => false,
  );
  const isRemoved = await removeDatabase(db);
  await browserPictures.clear();
  if (!isEmpty && !isRemoved) throw new Error('Another window holds the replica');
}

const emptyTables = (db: LocalDatabase): Promise<unknown> =>
  db.transaction('rw', db.tables, async () => Promise.all(db.tables.map((table) => table.clear())));

const REMOVED_MS = 5000;

/**
 * Whether the database is gone. One that another window doesn't let go of, because it is frozen or busy,
 * goes as soon as it does: nobody waits for that.
 */
const removeDatabase = (db: LocalDatabase): Promise<boolean> =>
  withinTime(
    db.delete().then(() => true),
    REMOVED_MS,
    false,
  );

/**
 * Removes what anybody else left on this device, but for the changes they never sent: those wait for
 * their next log-in, where nobody else sees them. `beforeWipe` is told whose replica is next.
 */
export async function wipeOtherReplicas(
  userId: string,
  beforeWipe: (otherId: string) => void,
): Promise<void> {
  const names = (await Dexie.getDatabaseNames()).filter(isLocalDatabaseName);
  const others = names.map(localUserId).filter((id) => id !== userId);
  for (const otherId of others) beforeWipe(otherId);
  // Without a replica of their own, pictures that are here are somebody else's.
  if (others.length > 0 || others.length === names.length) await browserPictures.clear();
  const wiped = await Promise.allSettled(others.map(wipeButUnsent));
  for (const each of wiped) if (each.status === 'rejected') throw each.reason;
}

/** Removes a user's replica but for unsent changes; true when there are some. */
export async function wipeButUnsent(userId: string): Promise<boolean> {
  const db = new LocalDatabase(userId);
  try {
    const isAnyUnsent = await createDexieStore(db).write(keepOnlyUnsent);
    if (!isAnyUnsent) await removeDatabase(db);
    return isAnyUnsent;
  } finally {
    db.close();
  }
}

const KEPT: readonly string[] = Object.values(IDENTITY);

/**
 * Takes everything out of a replica but the changes that were made here and never sent, with what they
 * show; they wait until their person has logged in again and says so. False when there are none.
 */
export async function keepOnlyUnsent(tx: StoreWriter): Promise<boolean> {
  await dropAccepted(tx);
  await tx.deleteChunksFrom('');
  for (const [key] of await tx.listMeta('')) {
    if (!KEPT.includes(key)) await tx.deleteMeta(key);
  }
  await raiseTerm(tx);
  const isAnyUnsent = (await tx.listOutbox()).length > 0;
  if (isAnyUnsent) await pauseChanges(tx);
  return isAnyUnsent;
}
