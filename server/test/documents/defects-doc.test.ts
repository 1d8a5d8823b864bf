import { expect, test } from 'vitest';
import { hasTest, readPage, rowsIn, testsIn } from './named-tests.ts';

const ROWS = rowsIn(readPage('docs/defects.md'), /^\d+$/);

test('each of the fifty defects stands there once, with what it is now', () => {
  expect(ROWS.map(([no]) => Number(no))).toEqual(
    Array.from({ length: 50 }, (_, index) => index + 1),
  );
  const bare = ROWS.filter((cells) => cells.length !== 4 || cells.includes(''));
  expect(bare.map(([no]) => no)).toEqual([]);
});

test('each names a test at least, and every one is there, under that name', () => {
  const named = ROWS.map(([no, , , shown = '']) => ({ no, tests: testsIn(shown) }));
  expect(named.filter(({ tests }) => tests.length === 0).map(({ no }) => no)).toEqual([]);
  expect(named.flatMap(({ tests }) => tests).filter((each) => !hasTest(each))).toEqual([]);
});
