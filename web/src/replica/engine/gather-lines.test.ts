import { expect, test } from 'vitest';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { gatherLines } from './gather-lines.ts';
import type { SnapshotLine } from '../network/sync-network.ts';

const line = (after: string, rows = 1): SnapshotLine => ({
  kind: 'chunk',
  entity: 'post',
  after,
  rows: Array.from({ length: rows }, (_, nth) => [`${after}${nth}`, 1, {}]),
});
const names = (lines: readonly SnapshotLine[]): string =>
  lines.map((each) => (each.kind === 'chunk' ? each.after : each.kind)).join('');

/** Lines that arrive when they are told to. */
function createSource() {
  const { readable, writable } = new TransformStream<SnapshotLine[], SnapshotLine[]>(
    {},
    new CountQueuingStrategy({ highWaterMark: 100 }),
    new CountQueuingStrategy({ highWaterMark: 0 }),
  );
  const writer = writable.getWriter();
  const seen = { read: 0, isLeft: false };
  async function* lines(): AsyncGenerator<SnapshotLine[]> {
    try {
      for await (const some of readable) {
        seen.read += 1;
        yield some;
      }
    } finally {
      seen.isLeft = true;
    }
  }
  return { writer, seen, lines: lines() };
}

/** Until nothing more happens by itself. */
const quiet = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a full line comes at once, and what arrives meanwhile comes together', async () => {
  const { writer, lines } = createSource();
  const gathered = gatherLines(lines);
  void writer.write([line('a', SYNC_LIMITS.chunkRows)]);
  expect(names((await gathered.next()).value ?? [])).toBe('a');
  for (const name of ['b', 'c', 'd']) void writer.write([line(name, 60)]);
  await quiet();
  expect(names((await gathered.next()).value ?? [])).toBe('bcd');
  void writer.close();
  expect((await gathered.next()).done).toBe(true);
});

test('fewer rows than a full line has come together when the source has ended', async () => {
  const { writer, lines } = createSource();
  const gathered = gatherLines(lines);
  void writer.write([line('a', SYNC_LIMITS.chunkRows - 2)]);
  const taken = gathered.next();
  await quiet();
  void writer.write([line('b')]);
  await quiet();
  void writer.close();
  expect(names((await taken).value ?? [])).toBe('ab');
  expect((await gathered.next()).done).toBe(true);
});

test('so many rows come at once and no more, in their order, and a larger line alone', async () => {
  const { writer, lines } = createSource();
  void writer.write([line('a', 5), line('b', 5), line('c', 3), line('d', 30), line('e', 1)]);
  void writer.close();
  const taken: string[] = [];
  for await (const some of gatherLines(lines, 10)) taken.push(names(some));
  expect(taken).toEqual(['ab', 'c', 'd', 'e']);
});

test('nobody reads far ahead of what is written', async () => {
  const { writer, seen, lines } = createSource();
  const gathered = gatherLines(lines, 10);
  const first = gathered.next();
  for (let nr = 0; nr < 10; nr += 1) void writer.write([line('x', 10)]);
  await first;
  await quiet();
  expect(seen.read).toBeLessThan(5);
  void writer.close();
  let rows = 10;
  for await (const some of gathered) rows += some.length * 10;
  expect(rows).toBe(100);
});

test('what arrived before the source broke comes before its error', async () => {
  async function* broken(): AsyncGenerator<SnapshotLine[]> {
    yield [line('a')];
    throw new Error('The source broke');
  }
  const gathered = gatherLines(broken());
  expect(names((await gathered.next()).value ?? [])).toBe('a');
  await expect(gathered.next()).rejects.toThrow('The source broke');
});

test('whoever stops taking ends the source with its next lines', async () => {
  const { writer, seen, lines } = createSource();
  void writer.write([line('a', SYNC_LIMITS.chunkRows)]);
  for await (const _ of gatherLines(lines)) break;
  expect(seen.isLeft).toBe(false);
  void writer.write([line('b')]);
  await quiet();
  expect(seen.isLeft).toBe(true);
});
