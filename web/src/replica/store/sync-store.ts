import type { TagChange } from '#shared/domain/accounts/account-tags.ts';
import type { Chunk, Row } from './chunk.ts';
import type { OutboxItem } from './outbox-item.ts';

/** Reads of the replica; inside one transaction they all see the same moment. */
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
 * Where the replica is kept. A write happens whole or not at all, and none sees another's half.
 * Inside `work` only the given store may be awaited: IndexedDB ends a transaction that waits for
 * anything else.
 */
export interface SyncStore {
  read<Result>(work: (store: StoreReader) => Promise<Result>): Promise<Result>;
  write<Result>(work: (store: StoreWriter) => Promise<Result>): Promise<Result>;
}

/** What an outbox item changes for the eye at once; the rows from the server stay untouched. */
export interface Patch {
  /** The outbox item it belongs to. */
  itemId: string;
  entity: string;
  id: string;
  change:
    /** A row the server will make; ignored as soon as it did. */
    | { kind: 'insert'; row: Row }
    /** Fields with their new values. */
    | { kind: 'set'; fields: Row }
    /** Number fields with what is added to them; what is taken away takes none below 0. */
    | { kind: 'add'; fields: Record<string, number> }
    /** Tags that come and go; those besides stay, whoever gave them. */
    | ({ kind: 'tags' } & TagChange);
}

/** Entries of `meta` by which the server and other tabs know this replica; they outlive its rows. */
export const IDENTITY = {
  /** `SyncClient`: what is on its way must go on under the same number. */
  client: 'client',
  /** Raised by whoever takes the lead; who led before writes nothing any more. */
  term: 'term',
} as const;

/** From now on whoever led before writes nothing any more. */
export async function raiseTerm(tx: StoreWriter): Promise<number> {
  const next = Number((await tx.getMeta(IDENTITY.term)) ?? 0) + 1;
  await tx.putMeta(IDENTITY.term, next);
  return next;
}
