import type { Chunk } from './chunk.ts';
import type { OutboxItem } from './outbox-item.ts';
import type { Patch } from './patch.ts';

/** Reads of the local copy; inside one transaction they all see the same moment. */
export interface StoreReader {
  getMeta(key: string): Promise<unknown>;
  /** Entries whose key begins so, by key. */
  listMeta(prefix: string): Promise<Array<[key: string, value: unknown]>>;
  /** Keys in order: of all chunks that begin so. */
  chunkKeys(prefix: string): Promise<string[]>;
  /** Keys in order, each once: of the chunks that hold one of these ids (`idKey`). */
  chunkKeysOfIds(ids: readonly string[]): Promise<string[]>;
  /** Keys in order, each once: of the chunks that hold an id that begins so. */
  chunkKeysOfIdPrefix(prefix: string): Promise<string[]>;
  /** Keys in order: of the chunks found by this (`Chunk.acc`). */
  chunkKeysFoundBy(key: string): Promise<string[]>;
  /** In the order asked for; those that are gone are left out. */
  getChunks(keys: readonly string[]): Promise<Chunk[]>;
  /** Every queued, sending, accepted or failed change, oldest first. */
  listOutbox(): Promise<OutboxItem[]>;
  getOutboxItem(id: string): Promise<OutboxItem | undefined>;
  listPatches(entity: string): Promise<Patch[]>;
}

export interface StoreWriter extends StoreReader {
  putMeta(key: string, value: unknown): Promise<void>;
  deleteMeta(key: string): Promise<void>;
  putChunks(chunks: readonly Chunk[]): Promise<void>;
  deleteChunks(keys: readonly string[]): Promise<void>;
  /** Every chunk whose key begins so. */
  deleteChunksFrom(prefix: string): Promise<void>;
  putOutboxItem(item: OutboxItem): Promise<void>;
  deleteOutboxItem(id: string): Promise<void>;
  putPatches(patches: readonly Patch[]): Promise<void>;
  /** The patches of one outbox item. */
  deletePatchesOf(itemId: string): Promise<void>;
}

/**
 * Where the local copy is kept. A write happens whole or not at all, and none sees another's half.
 * Inside `work` only the given store may be awaited: IndexedDB ends a transaction that waits for
 * anything else.
 */
export interface SyncStore {
  read<Result>(work: (store: StoreReader) => Promise<Result>): Promise<Result>;
  write<Result>(work: (store: StoreWriter) => Promise<Result>): Promise<Result>;
}
