import { expect, test } from 'vitest';
import { arrangeRows, nextSort, exportedRows } from './arrange-rows.ts';
import type { Column } from './column.ts';

interface Row {
  name: string;
  likes: number | null;
}
const any = { width: '1fr' };
const columns: Column<Row>[] = [
  { ...any, key: 'name', label: 'Name', text: (row) => `@${row.name}`, sortBy: (row) => row.name },
  {
    ...any,
    key: 'likes',
    label: 'Likes',
    text: (row) => row.likes?.toLocaleString('en-US') ?? '–',
    sortBy: (row) => row.likes,
    csv: (row) => row.likes ?? '',
    addsUp: true,
  },
  { ...any, key: 'action', label: 'Action', text: () => '', csv: null },
];
const rows: Row[] = [
  { name: 'cafe.10', likes: 1000 },
  { name: 'Cafe.9', likes: null },
  { name: 'bar', likes: 50 },
];
const names = (search: string, key: string, isDescending = false): string[] =>
  arrangeRows(rows, columns, { search, sort: { key, isDescending } }).map((row) => row.name);

test('names sort as people count, numbers by their size, and what is unknown stands last', () => {
  expect(names('', 'name')).toEqual(['bar', 'Cafe.9', 'cafe.10']);
  expect(names('', 'likes')).toEqual(['bar', 'cafe.10', 'Cafe.9']);
  expect(names('', 'likes', true)).toEqual(['cafe.10', 'bar', 'Cafe.9']);
});

test('a search finds every word in any column, whatever its case', () => {
  expect(names('CAFE', 'name')).toEqual(['Cafe.9', 'cafe.10']);
  expect(names('cafe 1,000', 'name')).toEqual(['cafe.10']);
  expect(names('.*', 'name')).toEqual([]);
});

test('pressing a head sorts up, then down; another head begins anew', () => {
  expect(nextSort({ key: 'name', isDescending: false }, 'name').isDescending).toBe(true);
  expect(nextSort({ key: 'name', isDescending: true }, 'name').isDescending).toBe(false);
  expect(nextSort({ key: 'name', isDescending: false }, 'likes')).toEqual({
    key: 'likes',
    isDescending: false,
  });
});

test('a spreadsheet gets the columns that are data, in their order', () => {
  expect(exportedRows(rows.slice(0, 2), columns)).toEqual({
    heads: ['Name', 'Likes'],
    rows: [
      ['@cafe.10', 1000],
      ['@Cafe.9', ''],
    ],
    sums: ['Likes'],
  });
});

test('a search among 5,000 rows finds them all, in order', () => {
  const many = Array.from({ length: 5000 }, (_, index) => ({ name: `a${index}`, likes: index }));
  const found = arrangeRows(many, columns, {
    search: 'a49',
    sort: { key: 'likes', isDescending: true },
  });
  expect(found).toHaveLength(111);
  expect(found[0]?.name).toBe('a4999');
});
