import { Dexie, RangeSet, rangesOverlap, type IntervalTree, type ObservabilitySet } from 'dexie';
import { Listeners } from '#web/platform/async.ts';
import type { Chunk } from './chunk.ts';
import type { LocalDatabase } from './local-database.ts';
import { SHOWN_BY } from './scope-state.ts';
import type { StoreReader } from './sync-store.ts';

/** What somebody wrote into the replica, here, in a worker or in another tab. */
export interface Written {
  /** The chunks that were written or deleted; undefined: any may have been. */
  keys: readonly string[] | undefined;
  /** Those among them that were held, as they were before. */
  former: ReadonlyMap<string, Chunk>;
  /** Whether one of those that were written may be found by this now (`Chunk.acc`). */
  isFoundBy: (key: string) => boolean;
  /** Whether what is pending may have changed. */
  hasPatches: boolean;
  /** Whether which rows are shown of a scope may have changed, or how far it is known. */
  hasScopes: boolean;
}

/** Chunks of a replica as they were last read; what is written anywhere is forgotten here. */
export interface ChunkCache {
  get: (store: StoreReader, keys: readonly string[]) => Promise<Chunk[]>;
  /** Calls back after it has forgotten what was written. */
  onWritten: (listener: (written: Written) => void) => () => void;
  stop: () => void;
}

export function createChunkCache(db: LocalDatabase): ChunkCache {
  const held = new Map<string, Chunk>();
  const listeners = new Listeners<Written>();
  const tableOf = (name: string): string => `idb://${db.name}/${name}/`;
  /** Counts what was written: a reading that began before must not be kept. */
  let writes = 0;

  const forget = (ranges: IntervalTree): ReadonlyMap<string, Chunk> => {
    writes += 1;
    const former = new Map<string, Chunk>();
    for (const [k, chunk] of held) {
      if (rangesOverlap(new RangeSet(k), ranges)) former.set(k, chunk);
    }
    for (const k of former.keys()) held.delete(k);
    return former;
  };
  const hear = (parts: ObservabilitySet): void => {
    const all = parts['all'];
    const chunks = all ?? parts[tableOf('chunk')];
    const meta = parts[tableOf('meta')];
    const hasPatches = all !== undefined || parts[tableOf('patch')] !== undefined;
    const hasScopes = all !== undefined || (meta !== undefined && rangesOverlap(SCOPES, meta));
    if (!chunks && !hasPatches && !hasScopes) return;
    const former = chunks ? forget(chunks) : new Map<string, Chunk>();
    const keys = chunks ? keysIn(chunks) : [];
    const found = parts[tableOf('chunk') + 'acc'];
    const isFoundBy = (key: string): boolean =>
      !keys || (found !== undefined && rangesOverlap(new RangeSet(key), found));
    listeners.tell({ keys, former, isFoundBy, hasPatches, hasScopes });
  };
  Dexie.on('storagemutated', hear);

  return {
    get: async (store, keys) => {
      const missing = keys.filter((k) => !held.has(k));
      const before = writes;
      const found = missing.length > 0 ? await store.getChunks(missing) : [];
      const read = new Map(found.map((chunk) => [chunk.k, chunk]));
      const chunks = keys.flatMap((k) => held.get(k) ?? read.get(k) ?? []);
      if (before === writes) for (const chunk of found) held.set(chunk.k, chunk);
      return chunks;
    },
    onWritten: (listener) => listeners.add(listener),
    stop: () => {
      Dexie.on.storagemutated.unsubscribe(hear);
      held.clear();
    },
  };
}

/** The entries of `meta` that decide which rows are shown. */
const SCOPES = Object.values(SHOWN_BY).reduce(
  (ranges, prefix) => ranges.add({ from: prefix, to: `${prefix}\uffff` }),
  new RangeSet(),
);

/** Undefined when whole ranges were written. */
function keysIn(ranges: IntervalTree): string[] | undefined {
  const keys: string[] = [];
  for (const { from, to } of new RangeSet().add(ranges)) {
    if (from !== to || typeof from !== 'string') return undefined;
    keys.push(from);
  }
  return keys;
}
