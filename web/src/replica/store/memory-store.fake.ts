import type { Chunk } from './chunk.ts';
import type { OutboxItem } from './outbox-item.ts';
import type { Patch, StoreWriter, SyncStore } from './sync-store.ts';

interface Kept {
  meta: Map<string, unknown>;
  chunks: Map<string, Chunk>;
  outbox: Map<string, OutboxItem>;
  patches: Map<string, Patch>;
}

export interface MemoryStore extends SyncStore {
  /** A crash: whatever is on its way is lost, what was written stays. */
  reopen(): MemoryStore;
}

/**
 * The replica in memory, for histories in Node. `step` is awaited at every operation: a test
 * orders, delays or breaks there.
 */
export function createMemoryStore(
  step: () => Promise<void> = async () => undefined,
  kept: Kept = { meta: new Map(), chunks: new Map(), outbox: new Map(), patches: new Map() },
): MemoryStore {
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  };
  return {
    read: (work) => inTurn(() => work(writerOn(kept, step))),
    write: (work) =>
      inTurn(async () => {
        const draft: Kept = {
          meta: new Map(kept.meta),
          chunks: new Map(kept.chunks),
          outbox: new Map(kept.outbox),
          patches: new Map(kept.patches),
        };
        const result = await work(writerOn(draft, step));
        await step();
        Object.assign(kept, draft);
        return result;
      }),
    reopen: () => createMemoryStore(step, kept),
  };
}

const beginning = <Value>(
  map: ReadonlyMap<string, Value>,
  prefix: string,
): Array<[string, Value]> =>
  [...map].filter(([key]) => key.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1));

const keysWhere = (kept: Kept, has: (chunk: Chunk) => boolean): string[] =>
  [...kept.chunks.values()]
    .filter(has)
    .map(({ k }) => k)
    .sort();

/** IndexedDB gives copies out and takes copies in; so does this. */
const copy = <Value>(value: Value): Value => structuredClone(value);

function writerOn(kept: Kept, step: () => Promise<void>): StoreWriter {
  const after = async <Result>(result: () => Result): Promise<Result> => {
    await step();
    return result();
  };
  return {
    getMeta: (key) => after(() => copy(kept.meta.get(key))),
    listMeta: (prefix) => after(() => copy(beginning(kept.meta, prefix))),
    chunkKeys: (prefix) => after(() => beginning(kept.chunks, prefix).map(([k]) => k)),
    chunkKeysOfIds: (ids) => {
      const asked = new Set(ids);
      return after(() => keysWhere(kept, (chunk) => chunk.ids.some((id) => asked.has(id))));
    },
    chunkKeysOfIdPrefix: (prefix) =>
      after(() => keysWhere(kept, (chunk) => chunk.ids.some((id) => id.startsWith(prefix)))),
    chunkKeysFoundBy: (key) => after(() => keysWhere(kept, (chunk) => chunk.acc.includes(key))),
    getChunks: (keys) =>
      after(() => copy(keys.map((k) => kept.chunks.get(k)).filter((chunk) => !!chunk))),
    listOutbox: () => after(() => copy(beginning(kept.outbox, '').map(([, item]) => item))),
    getOutboxItem: (id) => after(() => copy(kept.outbox.get(id))),
    listPatches: (entity) =>
      after(() =>
        copy(
          beginning(kept.patches, '')
            .map(([, patch]) => patch)
            .filter((patch) => patch.entity === entity),
        ),
      ),
    putMeta: (key, value) => after(() => void kept.meta.set(key, copy(value))),
    deleteMeta: (key) => after(() => void kept.meta.delete(key)),
    putChunks: (chunks) =>
      after(() => {
        for (const chunk of chunks) kept.chunks.set(chunk.k, copy(chunk));
      }),
    deleteChunks: (keys) =>
      after(() => {
        for (const k of keys) kept.chunks.delete(k);
      }),
    deleteChunksFrom: (prefix) =>
      after(() => {
        for (const [k] of beginning(kept.chunks, prefix)) kept.chunks.delete(k);
      }),
    putOutboxItem: (item) => after(() => void kept.outbox.set(item.id, copy(item))),
    deleteOutboxItem: (id) => after(() => void kept.outbox.delete(id)),
    putPatches: (patches) =>
      after(() => {
        for (const patch of patches) {
          kept.patches.set(`${patch.itemId}|${patch.entity}|${patch.id}`, copy(patch));
        }
      }),
    deletePatchesOf: (itemId) =>
      after(() => {
        for (const [key] of beginning(kept.patches, `${itemId}|`)) kept.patches.delete(key);
      }),
  };
}
