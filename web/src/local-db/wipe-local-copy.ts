import { Dexie } from 'dexie';
import { IMAGE_CACHE } from './image-cache.ts';
import { localDatabaseName } from './local-database.ts';

/** Removes a user's rows, queued changes and kept pictures; open windows let go of them by themselves. */
export async function wipeLocalCopy(userId: string): Promise<void> {
  await Dexie.delete(localDatabaseName(userId));
  await wipeImages();
}

export async function wipeImages(): Promise<void> {
  if (!('caches' in globalThis)) return;
  for (const name of await caches.keys()) {
    if (name.startsWith(IMAGE_CACHE)) await caches.delete(name);
  }
}
