import { type Chunk, type ChunkRow, chunkKey, idKey, idOfKey, type Place } from './chunk.ts';
import { instantOf, newestFirst, shapeOf } from './entity-shape.ts';

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
  return pieces.map((piece) => {
    const span = { newestMs: piece[0]?.atMs ?? 0, oldestMs: piece.at(-1)?.atMs ?? 0 };
    const size = piece.length < shape.rowsPerChunk / 2 ? 'small' : 'full';
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
