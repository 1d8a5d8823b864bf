import { IMAGE_CACHE } from './image-cache.ts';
import { LocalDatabase } from './local-database.ts';

/** Removes a user's rows, queued changes and kept pictures; open windows let go of them by themselves. */
export async function wipeLocalCopy(userId: string): Promise<void> {
  const db = new LocalDatabase(userId);
  // What a newer version laid out can't be opened here, and goes as a whole.
  const isEmpty = await emptyTables(db).then(
    () => true,
    () => false,
  );
  const isRemoved = await removeDatabase(db);
  await wipeImages();
  if (!isEmpty && !isRemoved) throw new Error('Another window holds the local copy');
}

const emptyTables = (db: LocalDatabase): Promise<unknown> =>
  db.transaction('rw', db.tables, async () => Promise.all(db.tables.map((table) => table.clear())));

const REMOVED_MS = 5000;

/**
 * Whether the database is gone. One that another window doesn't let go of, because it is frozen or busy,
 * goes as soon as it does: nobody waits for that.
 */
export async function removeDatabase(db: LocalDatabase): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isHeld = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), REMOVED_MS);
  });
  try {
    return await Promise.race([db.delete().then(() => true), isHeld]);
  } finally {
    clearTimeout(timer);
  }
}

export async function wipeImages(): Promise<void> {
  if (!('caches' in globalThis)) return;
  for (const name of await caches.keys()) {
    if (name.startsWith(IMAGE_CACHE)) await caches.delete(name);
  }
}
