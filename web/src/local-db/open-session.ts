import { Dexie } from 'dexie';
import { isLocalDatabaseName, LocalDatabase, localUserId } from './local-database.ts';
import { listRowsOf, readLocal } from './local-rows.ts';
import { isSessionOpen } from './local-session.ts';

/** The user of the copy whose session has not ended, as far as this device knows. */
export async function findOpenSession(): Promise<
  { id: string; inSubscription: boolean } | undefined
> {
  for (const name of (await Dexie.getDatabaseNames()).filter(isLocalDatabaseName)) {
    const db = new LocalDatabase(localUserId(name));
    try {
      if (!(await isSessionOpen(db))) continue;
      const [user] = await readLocal(db, (store) => listRowsOf(store, 'user'));
      if (user) return { id: user.id, inSubscription: user.inSubscription };
    } finally {
      db.close();
    }
  }
  return undefined;
}
