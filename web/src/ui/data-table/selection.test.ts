import { expect, test } from 'vitest';
import { rowForKey } from './use-row-keys.ts';
import { NOTHING_SELECTED, selectRange, toggleRow } from './selection.ts';

const ids = ['a', 'b', 'c', 'd'];
const list = (selection: ReadonlySet<string>): string => [...selection].sort().join('');

test('a row is chosen and let go again', () => {
  const one = toggleRow(NOTHING_SELECTED, 'b');
  expect(list(one)).toBe('b');
  expect(list(toggleRow(one, 'b'))).toBe('');
});

test('a range is chosen in either direction, beside what was chosen', () => {
  expect(list(selectRange(new Set(['d']), ids, 0, 1))).toBe('abd');
  expect(list(selectRange(NOTHING_SELECTED, ids, 2, 1))).toBe('bc');
});

test('keys move among the rows and stop at both ends', () => {
  expect(rowForKey('ArrowDown', 0, 3)).toBe(1);
  expect(rowForKey('ArrowDown', 2, 3)).toBe(2);
  expect(rowForKey('ArrowUp', 0, 3)).toBe(0);
  expect(rowForKey('PageDown', 5, 100)).toBe(15);
  expect(rowForKey('End', 0, 5000)).toBe(4999);
  expect(rowForKey('Home', 4000, 5000)).toBe(0);
  expect(rowForKey('x', 0, 3)).toBeUndefined();
});
