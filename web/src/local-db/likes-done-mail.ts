import type { LocalDatabase } from './local-database.ts';
import { listRowsOf, readLocal } from './local-rows.ts';

/** Whether an email tells this person when likes are done; undefined until the copy has the person. */
export function isLikesDoneMailed(db: LocalDatabase): Promise<boolean | undefined> {
  return readLocal(db, async (store) => {
    const [user] = await listRowsOf(store, 'user');
    return user && (user.preferences.likesDoneMail ?? false);
  });
}
