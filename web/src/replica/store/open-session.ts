import { Dexie } from 'dexie';
import { findAnswered } from './answered.ts';
import { isLocalDatabaseName, LocalDatabase, localUserId, readLocal } from './local-database.ts';
import { findUserRow } from './read-rows.ts';
import { isSessionOpen } from './session.ts';

/** The user of the replica whose session has not ended, as far as this device knows. */
export async function findOpenSession(): Promise<
  { id: string; inSubscription: boolean } | undefined
> {
  for (const name of (await Dexie.getDatabaseNames()).filter(isLocalDatabaseName)) {
    if (!(await isThere(name))) continue;
    const db = new LocalDatabase(localUserId(name));
    try {
      if (!(await isSessionOpen(db))) continue;
      const user = await readLocal(
        db,
        async (store) => (await findAnswered(store)) ?? (await findUserRow(store)),
      );
      if (user) return { id: user.id, inSubscription: user.inSubscription };
    } finally {
      db.close();
    }
  }
  return undefined;
}

/** Without a schema Dexie opens only what exists: a replica that is just being wiped must not come back. */
async function isThere(name: string): Promise<boolean> {
  const db = new Dexie(name);
  try {
    await db.open();
    return true;
  } catch (error) {
    if (error instanceof Dexie.NoSuchDatabaseError) return false;
    throw error;
  } finally {
    db.close();
  }
}
