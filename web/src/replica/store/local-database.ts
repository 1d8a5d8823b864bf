import {
  Dexie,
  type EntityTable,
  type Table,
  type Transaction,
  liveQuery,
  type Observable,
} from 'dexie';
import { keepSame } from '#web/platform/keep-same.ts';
import type { Chunk } from './chunk.ts';
import { rowsAreOfSchemaNine } from './local-database-versions.ts';
import type { OutboxItem } from './outbox-item.ts';
import type { Patch, StoreWriter, SyncStore, StoreReader } from './sync-store.ts';

/** A fact about the replica itself, such as how far a scope is known. */
interface MetaRow {
  key: string;
  value: unknown;
}

/** One user's replica of what the server knows. Each user has a database of their own. */
export class LocalDatabase extends Dexie {
  declare readonly chunk: EntityTable<Chunk, 'k'>;
  declare readonly meta: EntityTable<MetaRow, 'key'>;
  declare readonly outbox: EntityTable<OutboxItem, 'id'>;
  declare readonly patch: Table<Patch, [entity: string, id: string, itemId: string]>;

  constructor(userId: string) {
    super(localDatabaseName(userId));
    rowsAreOfSchemaNine(this);
  }
}

const NAME = 'ovation-';

export const localDatabaseName = (userId: string): string => NAME + userId;

export const localUserId = (name: string): string => name.slice(NAME.length);

export const isLocalDatabaseName = (name: string): boolean => name.startsWith(NAME);

/**
 * Lets go of the replica when another window deletes it or brings it to a newer form. Opened again by
 * itself, as Dexie would, it would come back to life empty.
 */
export function closeWhenReplaced(
  db: LocalDatabase,
  onClosed: (how: 'deleted' | 'upgraded') => void,
): void {
  db.on('versionchange', ({ newVersion }) => {
    db.close();
    onClosed(newVersion === null || newVersion === 0 ? 'deleted' : 'upgraded');
    return false;
  });
}

/** The replica in IndexedDB. Its reads wake live queries, also those of other tabs and workers. */
export function createDexieStore(db: LocalDatabase): SyncStore {
  const tables = ['meta', 'chunk', 'outbox', 'patch'];
  // Dexie follows native awaits only from what is itself written as an async function: from a plain
  // one that returns a promise they leave the transaction, which then ends too early.
  return {
    read: (work) => db.transaction('r', tables, async (tx) => work(readOnce(dexieOperations(tx)))),
    write: (work) => db.transaction('rw', tables, async (tx) => work(dexieOperations(tx))),
  };
}

/** Every query asks which scopes there are and what is pending: of one moment that is read once. */
function readOnce(reader: StoreReader): StoreReader {
  const entries = new Map<string, ReturnType<StoreReader['listMeta']>>();
  const patches = new Map<string, ReturnType<StoreReader['listPatches']>>();
  return {
    ...reader,
    listMeta: (prefix) => held(entries, prefix, () => reader.listMeta(prefix)),
    listPatches: (entity) => held(patches, entity, () => reader.listPatches(entity)),
  };
}

function held<Value>(values: Map<string, Value>, key: string, read: () => Value): Value {
  const value = values.get(key) ?? read();
  values.set(key, value);
  return value;
}

/** The operations, each in the given transaction wherever it is called from. */
function dexieOperations(tx: Transaction): StoreWriter {
  const meta: Table<MetaRow, string> = tx.table('meta');
  const chunk: Table<Chunk, string> = tx.table('chunk');
  const outbox: Table<OutboxItem, string> = tx.table('outbox');
  const patch: Table<Patch, [entity: string, id: string, itemId: string]> = tx.table('patch');
  const beginning = (prefix: string) => chunk.where(':id').startsWith(prefix);
  return {
    getMeta: async (key) => (await meta.get(key))?.value,
    listMeta: async (prefix) =>
      (await meta.where(':id').startsWith(prefix).toArray()).map(({ key, value }) => [key, value]),
    chunkKeys: (prefix) => beginning(prefix).primaryKeys(),
    chunkKeysOfIds: async (ids) => {
      const found = await Promise.all(ids.map((id) => chunk.where('ids').equals(id).primaryKeys()));
      return [...new Set(found.flat())].sort();
    },
    chunkKeysOfIdPrefix: async (prefix) =>
      [...new Set(await chunk.where('ids').startsWith(prefix).primaryKeys())].sort(),
    chunkKeysFoundBy: (key) => chunk.where('acc').equals(key).primaryKeys(),
    getChunks: async (keys) =>
      (await chunk.bulkGet([...keys])).filter((found) => found !== undefined),
    listOutbox: () => outbox.toCollection().toArray(),
    getOutboxItem: (id) => outbox.get(id),
    listPatches: (entity) =>
      patch
        .where('[entity+id+itemId]')
        .between([entity, Dexie.minKey], [entity, Dexie.maxKey])
        .toArray()
        .then((patches) => patches.sort((a, b) => (a.itemId < b.itemId ? -1 : 1))),
    putMeta: async (key, value) => void (await meta.put({ key, value })),
    deleteMeta: (key) => meta.delete(key),
    putChunks: async (chunks) => void (await chunk.bulkPut([...chunks])),
    deleteChunks: (keys) => chunk.bulkDelete([...keys]),
    deleteChunksFrom: async (prefix) => void (await beginning(prefix).delete()),
    putOutboxItem: async (item) => void (await outbox.put(item)),
    deleteOutboxItem: (id) => outbox.delete(id),
    putPatches: async (patches) => void (await patch.bulkPut([...patches])),
    deletePatchesOf: async (itemId) => void (await patch.where('itemId').equals(itemId).delete()),
  };
}

/** Reads the replica at one moment; inside a live query it is read again when that changes. */
export function readLocal<Result>(
  db: LocalDatabase,
  work: (store: StoreReader) => Promise<Result>,
): Promise<Result> {
  return createDexieStore(db).read(work);
}

/**
 * What a reading of the replica gives, now and whenever the replica changes, here, in a worker or in
 * another tab; what says the same stays the very same, so that nothing is drawn anew. Dexie follows native
 * awaits only below a function that is itself async: a plain one would be read once and never again.
 */
export function watchLocal<Result>(read: () => Promise<Result>): Observable<Result> {
  let last: Result | undefined;
  return liveQuery(async () => {
    last = keepSame(last, await read());
    return last;
  });
}
