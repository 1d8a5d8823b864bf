import { Dexie } from 'dexie';
import { IMAGE_CACHE } from './image-cache.ts';
import { isLocalDatabaseName, localDatabaseName } from './local-database.ts';

/** Removes a user's rows, queued changes and kept pictures; open windows let go of them by themselves. */
export async function wipeLocalCopy(userId: string): Promise<void> {
  await Dexie.delete(localDatabaseName(userId));
  await wipeImages();
}

/** Removes what anybody else left on this device. */
export async function wipeOtherCopies(userId: string): Promise<void> {
  const others = (await Dexie.getDatabaseNames()).filter(
    (name) => isLocalDatabaseName(name) && name !== localDatabaseName(userId),
  );
  if (others.length === 0) return;
  for (const name of others) await Dexie.delete(name);
  await wipeImages();
}

async function wipeImages(): Promise<void> {
  if (!('caches' in globalThis)) return;
  for (const name of await caches.keys()) {
    if (name.startsWith(IMAGE_CACHE)) await caches.delete(name);
  }
}
