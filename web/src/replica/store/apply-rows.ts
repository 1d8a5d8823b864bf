import {
  type Chunk,
  type ChunkRow,
  idKey,
  isSmall,
  type Place,
  placePrefix,
  type Row,
  spanOf,
  memtableKey,
  chunkOf,
  packRows,
  rowsOf,
  withFreeKeys,
} from './chunk.ts';
import { instantOf, shapeOf } from './entity-shape.ts';
import type { StoreWriter } from './sync-store.ts';

/** A row as it is at a version; null: it is gone. */
export interface RowChange {
  id: string;
  v: number;
  row: Row | null;
}

/** A delta rewrites the memtable each time, so it stays small. */
const MEMTABLE_ROWS = 32;

interface OpenChunk {
  k: string;
  rows: Map<string, ChunkRow>;
  isChanged: boolean;
}

/**
 * Brings the rows of a place to newer versions. Each row is in exactly one chunk, an older version
 * never replaces a newer one, and doing it again changes nothing.
 */
export async function applyRows(
  store: StoreWriter,
  place: Place,
  changes: readonly RowChange[],
): Promise<void> {
  const newest = newestOfEach(changes);
  if (newest.size === 0) return;
  const prefix = placePrefix(place);
  const holding = await store.chunkKeysOfIds(
    [...newest.keys()].map((id) => idKey(place.entity, id)),
  );
  const memtable = memtableKey(place);
  const keys = new Set([...holding.filter((k) => k.startsWith(prefix)), memtable]);
  const chunks = new Map(
    (await store.getChunks([...keys])).map((chunk) => [chunk.k, open(place, chunk)]),
  );
  const openMemtable = chunks.get(memtable) ?? { k: memtable, rows: new Map(), isChanged: false };
  chunks.set(memtable, openMemtable);

  for (const change of newest.values()) {
    const homes = [...chunks.values()].filter((chunk) => chunk.rows.has(change.id));
    put(place, change, homes, openMemtable);
  }
  await save(store, place, [...chunks.values()], openMemtable);
}

function newestOfEach(changes: readonly RowChange[]): Map<string, RowChange> {
  const newest = new Map<string, RowChange>();
  for (const change of changes) {
    const before = newest.get(change.id);
    if (!before || before.v <= change.v) newest.set(change.id, change);
  }
  return newest;
}

function open(place: Place, chunk: Chunk): OpenChunk {
  const rows = rowsOf(place.entity, chunk).map((each) => [each.id, each] as const);
  return { k: chunk.k, rows: new Map(rows), isChanged: false };
}

/** A row whose order changed while a snapshot was read may stand in two chunks; afterwards in one. */
function put(
  place: Place,
  { id, v, row }: RowChange,
  homes: readonly OpenChunk[],
  memtable: OpenChunk,
): void {
  if (homes.some((home) => (home.rows.get(id)?.v ?? 0) > v)) return;
  const fitting = row ? homes.find((home) => fits(place, home, row)) : undefined;
  for (const home of homes) {
    if (home === fitting) continue;
    home.rows.delete(id);
    home.isChanged = true;
  }
  const target = row ? (fitting ?? memtable) : undefined;
  if (!row || !target) return;
  target.rows.set(id, { id, v, row });
  target.isChanged = true;
}

/** Whether the chunk's key tells the truth about the row. */
function fits(place: Place, home: OpenChunk, row: Row): boolean {
  const { newestMs, oldestMs } = spanOf(home.k);
  const atMs = instantOf(shapeOf(place.entity), row);
  return atMs <= newestMs && atMs >= oldestMs;
}

async function save(
  store: StoreWriter,
  place: Place,
  chunks: readonly OpenChunk[],
  memtable: OpenChunk,
): Promise<void> {
  const changed = chunks.filter(({ isChanged }) => isChanged);
  const isMemtableFull = memtable.rows.size > MEMTABLE_ROWS;
  const kept = changed.filter(
    (chunk) => chunk.rows.size > 0 && !(isMemtableFull && chunk === memtable),
  );
  const gone = changed.filter((chunk) => !kept.includes(chunk)).map(({ k }) => k);
  if (gone.length > 0) await store.deleteChunks(gone);
  const written = kept.map(({ k, rows }) => chunkOf(place.entity, k, [...rows.values()]));
  const flushed = isMemtableFull ? await flush(store, place, [...memtable.rows.values()]) : [];
  if (written.length + flushed.length > 0) await store.putChunks([...written, ...flushed]);
}

async function flush(
  store: StoreWriter,
  place: Place,
  rows: readonly ChunkRow[],
): Promise<Chunk[]> {
  const packed = packRows(place, rows);
  const taken = await store.getChunks(packed.map(({ k }) => k));
  return withFreeKeys(packed, new Set(taken.map(({ k }) => k)));
}

/** How many small chunks are joined at once: pages that are open hear of every row, and of 1,000 for 50 ms. */
const JOIN_LIMIT = 8;

/** Joins the chunks that full memtables left behind; true when there may be more to join. */
export async function joinSmallChunks(store: StoreWriter, place: Place): Promise<boolean> {
  const small = (await store.chunkKeys(placePrefix(place))).filter(isSmall);
  if (small.length < 2) return false;
  const keys = small.slice(0, JOIN_LIMIT);
  const chunks = await store.getChunks(keys);
  const rows = chunks.flatMap((chunk) => rowsOf(place.entity, chunk));
  await store.deleteChunks(keys);
  const joined = await flush(store, place, rows);
  await store.putChunks(joined);
  const left = joined.filter(({ k }) => isSmall(k)).length;
  return small.length > JOIN_LIMIT && left < keys.length;
}
