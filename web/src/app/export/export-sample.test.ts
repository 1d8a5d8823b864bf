import { expect, test } from 'vitest';
import type { ExportFile } from '#web/ui/data-table/export-file.ts';
import { isId, sizeInWords, totalsInWords } from './export-dialog.tsx';

const file: ExportFile = {
  fileName: 'payments.csv',
  heads: ['Date', 'Price', 'Returned', 'Card'],
  rows: [
    ['2026-11-21', 9.99, 0, ''],
    ['2026-11-20', 1200.1, 0, '•242'],
    ['2026-11-19', '', 0, ''],
    ['2026-11-18', 1, 0, ''],
  ],
  sums: ['Price', 'Returned'],
};

test('totals are those of all lines, to the cent, and only where something adds up', () => {
  expect(totalsInWords(file)).toBe('Totals: Price 1,211.09.');
  expect(totalsInWords({ ...file, sums: [] })).toBe('');
  expect(totalsInWords({ ...file, rows: [] })).toBe('');
});

test('how much is in a file is said, and whether all of it is shown', () => {
  expect(sizeInWords(file)).toBe('4 rows, 4 columns. Here’s how it starts.');
  expect(sizeInWords({ ...file, rows: file.rows.slice(0, 1) })).toBe('1 row, 4 columns.');
});

test('only an id that nobody reads counts as one', () => {
  expect(isId('0192d3c0-0000-7000-8000-0000000000f2')).toBe(true);
  expect(['7C2F1-0A3BE', '2026-11-21', 'ada.paints', 12, '', undefined].filter(isId)).toEqual([]);
});
