import { expect, test } from 'vitest';
import { type Chunk, chunkKey, type Place, memtableKey, chunkOf } from '../store/chunk.ts';
import type { Written } from '../store/chunk-cache.ts';
import { createMemoryStore } from '../store/memory-store.fake.ts';
import { createWrittenInstants, type Instants, touches } from './watch-posts.ts';

const place: Place = { scope: 'w:one', entity: 'post', generation: 1 };
const day = (nth: number): string => `2026-11-${String(nth).padStart(2, '0')}T12:00:00.000Z`;
const dayMs = (nth: number): number => Date.parse(day(nth));
const chunk = (k: string, ...rows: Array<[nth: number, v: number]>): Chunk =>
  chunkOf(
    'post',
    k,
    rows.map(([nth, v]) => ({ id: `a/${nth}`, v, row: { takenAt: day(nth), igId: '1' } })),
  );
const packedKey = chunkKey(place, { newestMs: dayMs(20), oldestMs: dayMs(18) }, 'a/20', 'full');
const memtable = memtableKey(place);

const NOTHING: Written = {
  keys: [],
  former: new Map(),
  isFoundBy: (key) => key === 'post@1',
  hasPatches: false,
  hasScopes: false,
};

/** What is gathered when these chunks are there after the write. */
async function gathered(written: Partial<Written>, after: readonly Chunk[]): Promise<Instants> {
  const store = createMemoryStore();
  await store.write((tx) => tx.putChunks(after));
  const instants = createWrittenInstants('post', 'post@1');
  instants.add({ ...NOTHING, ...written });
  return store.read((tx) => instants.take(tx));
}

/** Which of three windows are touched: until the 11th, from then to the 16th, and from then on. */
const windows = [{ before: day(11) }, { from: day(11), before: day(16) }, { from: day(16) }];
const touched = (instants: Instants): boolean[] =>
  windows.map((window) => touches(window, instants));

test('a chunk that was written touches only the windows in its time', async () => {
  const instants = await gathered({ keys: [packedKey] }, []);
  expect(touched(instants)).toEqual([false, false, true]);
});

test('of the memtable only those rows touch windows that were written, came or went', async () => {
  const former = new Map([[memtable, chunk(memtable, [5, 1], [12, 1], [20, 1])]]);
  const changed = await gathered({ keys: [memtable], former }, [
    chunk(memtable, [5, 1], [12, 2], [20, 1]),
  ]);
  expect(touched(changed)).toEqual([false, true, false]);
  const moved = await gathered({ keys: [memtable], former }, [
    chunk(memtable, [12, 1], [20, 1], [30, 1]),
  ]);
  expect(touched(moved)).toEqual([true, false, true]);
});

test('a memtable of which nothing was held, whole ranges, scopes and what is pending touch every window', async () => {
  const every = [true, true, true];
  expect(touched(await gathered({ keys: [memtable] }, [chunk(memtable, [5, 1])]))).toEqual(every);
  expect(touched(await gathered({ keys: undefined }, []))).toEqual(every);
  expect(touched(await gathered({ hasPatches: true }, []))).toEqual(every);
  expect(touched(await gathered({ hasScopes: true }, []))).toEqual(every);
});

test('a chunk without rows of the account matters only if it was held', async () => {
  const isFoundBy = (key: string): boolean => key === 'post@2';
  expect(touched(await gathered({ keys: [packedKey], isFoundBy }, []))).toEqual([
    false,
    false,
    false,
  ]);
  const former = new Map([[packedKey, chunk(packedKey, [20, 1])]]);
  expect(touched(await gathered({ keys: [packedKey], former, isFoundBy }, []))).toEqual([
    false,
    false,
    true,
  ]);
});

test('chunks of other rows touch no window, and what was taken is not taken again', async () => {
  const orders = memtableKey({ ...place, entity: 'order' });
  expect(touched(await gathered({ keys: [orders] }, []))).toEqual([false, false, false]);
  const store = createMemoryStore();
  const instants = createWrittenInstants('post', 'post@1');
  instants.add({ ...NOTHING, keys: undefined });
  expect(await store.read((tx) => instants.take(tx))).toBeUndefined();
  expect(await store.read((tx) => instants.take(tx))).toEqual([]);
});
