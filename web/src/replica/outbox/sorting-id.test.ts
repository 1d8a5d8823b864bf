import { expect, test } from 'vitest';
import { sortingId, sortingIds } from './outbox.ts';

const RANDOM = 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6';
const NOW = Date.parse('2026-11-21T12:00:00Z');

test('an id is a UUID of version 7 that keeps the randomness', () => {
  const id = sortingId(NOW, RANDOM);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(id.slice(15)).toBe(RANDOM.slice(15));
});

test('ids sort by the time they were made', () => {
  const ids = [NOW + 1000, NOW, NOW + 1].map((ms) => sortingId(ms, RANDOM));
  expect(ids.toSorted()).toEqual([ids[1], ids[2], ids[0]]);
});

test('what is made later sorts later, in the same millisecond and after the clock went back', () => {
  const times = [NOW, NOW, NOW, NOW - 60_000, NOW + 1000];
  const randoms = ['e', 'd', 'c', 'b', 'a'].map((sign) => RANDOM.slice(0, 15) + sign.repeat(21));
  const newItemId = sortingIds({
    now: () => times.shift() ?? 0,
    newId: () => randoms.shift() ?? '',
  });
  const ids = Array.from({ length: 5 }, newItemId);
  expect(ids.toSorted()).toEqual(ids);
});
