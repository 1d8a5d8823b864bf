import { instantOf, newestFirst, shapeOf } from './entity-shape.ts';

/** One synced row as the server sent it: a wire object of the contract. */
export type Row = Record<string, unknown>;

/**
 * Many rows in one record: a `put` costs 0.14-0.31 ms whatever its size, so 20,000 posts take
 * 0.43-0.49 s as chunks and 4.9-10 s as one record each (2 cores, Chromium).
 */
export interface Chunk {
  /** `place|newest|oldest|first id`, see `chunkKey`. */
  k: string;
  /** `idKey` of every row, in the rows' order. */
  ids: string[];
  /** What its rows can be found by besides their id, such as an account. */
  acc: string[];
  /** The version of every row, in the rows' order. */
  v: number[];
  rows: Row[];
}

/** Where the rows of one entity of a scope live; a resync writes the next generation beside it. */
export interface Place {
  scope: string;
  entity: string;
  generation: number;
}

/** A row on its way into or out of a chunk. */
export interface ChunkRow {
  id: string;
  v: number;
  row: Row;
}

const LAST_INSTANT_MS = 9_999_999_999_999;

/** Sorts newest first; instants before 1970 count as 1970. */
function inverted(atMs: number): string {
  const fitting = Math.min(LAST_INSTANT_MS, Math.max(0, Math.floor(atMs)));
  return String(LAST_INSTANT_MS - fitting).padStart(13, '0');
}

const reverted = (text: string): number => LAST_INSTANT_MS - Number(text);

export const placePrefix = ({ scope, entity, generation }: Place): string =>
  `${scope}|${entity}|${generation}|`;

/**
 * How a row's id stands in the index. A post's id `account/post` is turned round, so that a post is
 * found by its own id whichever account it stayed with.
 */
export const idKey = (entity: string, id: string): string => `${entity}:${turned(entity, id)}`;

export const idOfKey = (entity: string, key: string): string =>
  turned(entity, key.slice(entity.length + 1));

/** What every index entry of a post with this network id begins with. */
export const postIdPrefix = (postId: string): string => `post:${postId}/`;

function turned(entity: string, id: string): string {
  return entity === 'post' ? id.split('/').reverse().join('/') : id;
}

/** The memtable takes new rows; it sorts before every other chunk of its place. */
export const memtableKey = (place: Place): string => `${placePrefix(place)}!`;

export const isMemtable = (k: string): boolean => k.endsWith('|!');

/** The chunks that a full memtable became; they are joined when there is time. */
const SMALL = '~';
export const isSmall = (k: string): boolean => k.endsWith(SMALL);

/** The instants a chunk's rows lie between, inclusive; the memtable may hold any. */
export interface Span {
  newestMs: number;
  oldestMs: number;
}

/** The entity whose rows a chunk holds. */
export const entityOf = (k: string): string => k.split('|')[1] ?? '';

export function spanOf(k: string): Span {
  const [, , , newest, oldest] = k.split('|');
  if (newest === undefined || oldest === undefined) {
    return { newestMs: Infinity, oldestMs: -Infinity };
  }
  return { newestMs: reverted(newest), oldestMs: reverted(oldest) };
}

/** The key tells what instants a chunk covers, so that a reader skips chunks without reading them. */
export function chunkKey(
  place: Place,
  span: Span,
  firstId: string,
  size: 'full' | 'small',
): string {
  const newest = inverted(Math.ceil(span.newestMs));
  const oldest = inverted(span.oldestMs);
  return `${placePrefix(place)}${newest}|${oldest}|${firstId}|${size === 'small' ? SMALL : ''}`;
}

const CHUNK_BYTES = 64 * 1024;

/** The record of a chunk with these rows. */
export function chunkOf(entity: string, k: string, rows: readonly ChunkRow[]): Chunk {
  const { keysOf } = shapeOf(entity);
  return {
    k,
    ids: rows.map(({ id }) => idKey(entity, id)),
    acc: [...new Set(rows.flatMap(({ row }) => keysOf(row)))],
    v: rows.map(({ v }) => v),
    rows: rows.map(({ row }) => row),
  };
}

export function rowsOf(entity: string, chunk: Chunk): ChunkRow[] {
  return chunk.rows.map((row, index) => ({
    id: idOfKey(entity, chunk.ids[index] ?? ''),
    v: chunk.v[index] ?? 0,
    row,
  }));
}

/** Orders rows newest first and packs them, at most a chunk's rows and 64 KB together. */
export function packRows(place: Place, rows: readonly ChunkRow[]): Chunk[] {
  const shape = shapeOf(place.entity);
  const timed = rows
    .map((each) => ({
      each,
      id: each.id,
      row: each.row,
      atMs: instantOf(shape, each.row),
      bytes: JSON.stringify(each.row).length,
    }))
    .sort(newestFirst);
  const pieces: Array<typeof timed> = [];
  let bytes = 0;
  for (const entry of timed) {
    const piece = pieces.at(-1);
    const isFull =
      !piece || piece.length >= shape.rowsPerChunk || bytes + entry.bytes > CHUNK_BYTES;
    if (isFull) pieces.push([entry]);
    else piece.push(entry);
    bytes = (isFull ? 0 : bytes) + entry.bytes;
  }
  return pieces.map((piece, nth) => {
    const span = { newestMs: piece[0]?.atMs ?? 0, oldestMs: piece.at(-1)?.atMs ?? 0 };
    // Few long rows fill a chunk as well: only the last one has room.
    const hasRoom = nth === pieces.length - 1 && piece.length < shape.rowsPerChunk / 2;
    const size = hasRoom ? 'small' : 'full';
    const k = chunkKey(place, span, piece[0]?.each.id ?? '', size);
    return chunkOf(
      place.entity,
      k,
      piece.map(({ each }) => each),
    );
  });
}

/** Gives chunks keys of their own where others already have theirs. */
export function withFreeKeys(chunks: readonly Chunk[], taken: ReadonlySet<string>): Chunk[] {
  const used = new Set(taken);
  return chunks.map((chunk) => {
    let k = chunk.k;
    while (used.has(k)) k = `${k}~`;
    used.add(k);
    return k === chunk.k ? chunk : { ...chunk, k };
  });
}
