import { expect, test } from 'vitest';
import { applyRows, joinSmallChunks } from './apply-rows.ts';
import type { Chunk, Place } from './chunk.ts';
import { createMemoryStore } from './memory-store.fake.ts';

const PLACE: Place = { scope: 'w:one', entity: 'post', generation: 1 };
const START_MS = Date.parse('2026-01-01T00:00:00Z');

/** 33 rows are a full memtable. */
const rowsFrom = (first: number) =>
  Array.from({ length: 33 }, (_, nth) => {
    const id = String(first + nth);
    const takenAt = new Date(START_MS + (first + nth) * 1000).toISOString();
    return { id: `one/${id}`, v: 1, row: { id, igId: 'one', takenAt, text: 'x'.repeat(1900) } };
  });

test('chunks that a few long rows have filled are joined once', async () => {
  const store = createMemoryStore();
  for (let first = 0; first < 33 * 20; first += 33) {
    await store.write((tx) => applyRows(tx, PLACE, rowsFrom(first)));
  }
  let written = 0;
  const join = (): Promise<boolean> =>
    store.write((tx) => {
      const putChunks = (chunks: readonly Chunk[]): Promise<void> => {
        written += chunks.length;
        return tx.putChunks(chunks);
      };
      return joinSmallChunks({ ...tx, putChunks }, PLACE);
    });
  while (await join());
  expect(written).toBeGreaterThan(0);
  written = 0;
  await join();
  expect(written).toBe(0);
});
