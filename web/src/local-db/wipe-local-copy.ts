import { Dexie } from 'dexie';
import { createDexieStore } from './dexie-store.ts';
import { IMAGE_CACHE } from './image-cache.ts';
import { keepOnlyUnsent } from './keep-only-unsent.ts';
import {
  isLocalDatabaseName,
  LocalDatabase,
  localDatabaseName,
  localUserId,
} from './local-database.ts';

/** Removes a user's rows, queued changes and kept pictures; open windows let go of them by themselves. */
export async function wipeLocalCopy(userId: string): Promise<void> {
  await Dexie.delete(localDatabaseName(userId));
  await wipeImages();
}

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

async function wipeButUnsent(userId: string): Promise<void> {
  const db = new LocalDatabase(userId);
  try {
    const isAnyUnsent = await createDexieStore(db).write(keepOnlyUnsent);
    if (!isAnyUnsent) await db.delete();
  } finally {
    db.close();
  }
}

export async function wipeImages(): Promise<void> {
  if (!('caches' in globalThis)) return;
  for (const name of await caches.keys()) {
    if (name.startsWith(IMAGE_CACHE)) await caches.delete(name);
  }
}
