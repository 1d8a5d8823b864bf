import { expect, test } from 'vitest';
import { rowDifference } from './row-difference.ts';

const keyOf = (row: { id: string }): string => row.id;

test('rows that came back unchanged are not written again', () => {
  const rows = [{ id: 'a', likes: 1 }];
  expect(rowDifference(rows, structuredClone(rows), keyOf)).toEqual({ changed: [], gone: [] });
});

test('new and changed rows are written, missing ones are gone', () => {
  const stored = [
    { id: 'a', likes: 1 },
    { id: 'b', likes: 2 },
  ];
  const fresh = [
    { id: 'b', likes: 3 },
    { id: 'c', likes: 4 },
  ];
  expect(rowDifference(stored, fresh, keyOf)).toEqual({ changed: fresh, gone: ['a'] });
});
