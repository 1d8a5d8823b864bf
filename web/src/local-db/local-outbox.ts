import type { LocalDatabase } from './local-database.ts';
import { readLocal } from './local-rows.ts';
import type { OutboxItem } from './outbox-item.ts';
import { watchLocal } from './watch-local.ts';

/** Every change made here that isn't done yet, oldest first; those the server has done are left out. */
export async function listWaiting(db: LocalDatabase): Promise<OutboxItem[]> {
  const items = await readLocal(db, (store) => store.listOutbox());
  return items.filter(({ state }) => state.kind !== 'accepted');
}

/** Calls back with an item as it is now and whenever it changes, here or in another tab. */
export function watchOutboxItem(
  db: LocalDatabase,
  id: string,
  listener: (item: OutboxItem | undefined) => void,
): () => void {
  const watching = watchLocal(() => readLocal(db, (store) => store.getOutboxItem(id))).subscribe(
    listener,
  );
  return () => watching.unsubscribe();
}
