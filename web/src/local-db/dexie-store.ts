import { Dexie } from 'dexie';
import type { LocalDatabase } from './local-database.ts';
import type { StoreWriter, SyncStore } from './sync-store.ts';

/** The local copy in IndexedDB. Its reads wake live queries, also those of other tabs and workers. */
export function createDexieStore(db: LocalDatabase): SyncStore {
  const tables = [db.meta, db.chunk, db.outbox, db.patch];
  const store = dexieOperations(db);
  return {
    read: (work) => db.transaction('r', tables, () => work(store)),
    write: (work) => db.transaction('rw', tables, () => work(store)),
  };
}

/** The operations themselves; each also works alone, in a transaction of its own. */
export function dexieOperations(db: LocalDatabase): StoreWriter {
  const beginning = (prefix: string) => db.chunk.where(':id').startsWith(prefix);
  return {
    getMeta: async (key) => (await db.meta.get(key))?.value,
    listMeta: async (prefix) =>
      (await db.meta.where(':id').startsWith(prefix).toArray()).map(({ key, value }) => [
        key,
        value,
      ]),
    chunkKeys: (prefix) => beginning(prefix).primaryKeys(),
    chunkKeysOfIds: async (ids) => {
      const found = await Promise.all(
        ids.map((id) => db.chunk.where('ids').equals(id).primaryKeys()),
      );
      return [...new Set(found.flat())].sort();
    },
    chunkKeysOfIdPrefix: async (prefix) =>
      [...new Set(await db.chunk.where('ids').startsWith(prefix).primaryKeys())].sort(),
    chunkKeysFoundBy: (key) => db.chunk.where('acc').equals(key).primaryKeys(),
    getChunks: async (keys) =>
      (await db.chunk.bulkGet([...keys])).filter((chunk) => chunk !== undefined),
    listOutbox: () => db.outbox.toCollection().toArray(),
    getOutboxItem: (id) => db.outbox.get(id),
    listPatches: (entity) =>
      db.patch
        .where('[entity+id+itemId]')
        .between([entity, Dexie.minKey], [entity, Dexie.maxKey])
        .toArray()
        .then((patches) => patches.sort((a, b) => (a.itemId < b.itemId ? -1 : 1))),
    putMeta: async (key, value) => void (await db.meta.put({ key, value })),
    deleteMeta: (key) => db.meta.delete(key),
    putChunks: async (chunks) => void (await db.chunk.bulkPut([...chunks])),
    deleteChunks: (keys) => db.chunk.bulkDelete([...keys]),
    deleteChunksFrom: async (prefix) => void (await beginning(prefix).delete()),
    putOutboxItem: async (item) => void (await db.outbox.put(item)),
    deleteOutboxItem: (id) => db.outbox.delete(id),
    putPatches: async (patches) => void (await db.patch.bulkPut([...patches])),
    deletePatchesOf: async (itemId) =>
      void (await db.patch.where('itemId').equals(itemId).delete()),
  };
}
