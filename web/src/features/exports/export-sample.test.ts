import { expect, test } from 'vitest';
import type { ExportFile } from '#web/components/export-file.ts';
import { sizeInWords, totalsOf } from './export-sample.ts';

const file: ExportFile = {
  fileName: 'payments.csv',
  heads: ['Date', 'Price', 'Card'],
  rows: [
    ['2026-11-21', 9.99, ''],
    ['2026-11-20', 1200.1, '•242'],
    ['2026-11-19', '', ''],
  ],
  sums: ['Price'],
};

test('totals are those of all lines, to the cent, and only where something adds up', () => {
  expect(totalsOf(file)).toEqual(['', '1,210.09', '']);
  expect(totalsOf({ ...file, sums: [] })).toBeUndefined();
  expect(totalsOf({ ...file, rows: [] })).toBeUndefined();
});

test('how much is in a file is said before it is saved', () => {
  expect(sizeInWords(file)).toBe('3 lines, 3 columns');
  expect(sizeInWords({ ...file, rows: file.rows.slice(0, 1) })).toBe('1 line, 3 columns');
});
