import { Dexie } from 'dexie';
import { createDexieStore } from './dexie-store.ts';
import { keepOnlyUnsent } from './keep-only-unsent.ts';
import { isLocalDatabaseName, LocalDatabase, localUserId } from './local-database.ts';
import { removeDatabase, wipeImages } from './wipe-local-copy.ts';

/**
 * Removes what anybody else left on this device, but for the changes they never sent: those wait for
 * their next log-in, where nobody else sees them. `beforeWipe` is told whose copy is next.
 */
export async function wipeOtherCopies(
  userId: string,
  beforeWipe: (otherId: string) => void,
): Promise<void> {
  const names = (await Dexie.getDatabaseNames()).filter(isLocalDatabaseName);
  const others = names.map(localUserId).filter((id) => id !== userId);
  for (const otherId of others) beforeWipe(otherId);
  // Without a copy of their own, pictures that are here are somebody else's.
  if (others.length > 0 || others.length === names.length) await wipeImages();
  const wiped = await Promise.allSettled(others.map(wipeButUnsent));
  for (const each of wiped) if (each.status === 'rejected') throw each.reason;
}

/** Removes a user's copy but for unsent changes; true when there are some. */
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
