import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvOf, UTF8_MARK } from '#shared/domain/accounts/csv.ts';
import { decodeText } from './read-accounts.ts';
import { parseCsv } from './parse-csv.ts';

const hostile = fc.constantFrom(
  "'",
  '"',
  '=',
  '+',
  '-',
  '@',
  '\t',
  '\r',
  '\n',
  ',',
  ';',
  '|',
  '\uFEFF',
  'a',
  '',
);
const anyCell = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(hostile, { maxLength: 6 }).map((parts) => parts.join('')),
);
/** A row with nothing in it at all can’t be told from a blank line. */
const anyRow = fc
  .array(anyCell, { minLength: 1, maxLength: 5 })
  .filter((cells) => cells.length > 1 || cells[0] !== '');
const cellsOf = (text: string): string[][] =>
  parseCsv(text, ['head']).rows.map(({ cells }) => cells);
/** With a head of ours, so that the delimiter is known. */
const HEAD = ['head', 'head', 'head'];

test('whatever is printed is read again as it was, for any strings', () => {
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 8 }), (rows) => {
      const all = [HEAD, ...rows];
      const bytes = new TextEncoder().encode(
        UTF8_MARK + csvOf(all.map((row) => row.map(wellFormed))),
      );
      expect(cellsOf(decodeText(bytes).text)).toEqual(all.map((row) => row.map(wellFormed)));
    }),
    { numRuns: 2000 },
  );
});

/** Half a surrogate pair has no bytes. */
const wellFormed = (text: string): string => text.toWellFormed();

test('a planted guard that isn’t undone is caught', () => {
  expect(cellsOf(csvOf([HEAD, ['=1+1', "'=1", "''@x", "'plain", '-5']]))[1]).toEqual([
    '=1+1',
    "'=1",
    "''@x",
    "'plain",
    '-5',
  ]);
});

test.each([
  [',', 'head,x\r\na,b'],
  [';', 'x;head\na,1;b'],
  ['\t', 'head\tx\ra\tb'],
  ['|', 'head|x\na|b;c'],
])('%j is found to part the cells', (delimiter, text) => {
  const table = parseCsv(text, ['Head']);
  expect(table.delimiter).toBe(delimiter);
  expect(table.rows.map(({ cells }) => cells.length)).toEqual([2, 2]);
});

test('rows know the line that they begin in, blank ones are counted, an open quote breaks its line', () => {
  const table = parseCsv('head,x\r\n"two\r\nlines",1\r\n\r\nb,2\r\n"open,3\r\nc,4\r\n', ['head']);
  expect(table.rows).toEqual([
    { line: 1, cells: ['head', 'x'] },
    { line: 2, cells: ['two\r\nlines', '1'] },
    { line: 5, cells: ['b', '2'] },
    { line: 6, cells: ['"open', '3'], brokenBy: 6 },
    { line: 7, cells: ['c', '4'] },
  ]);
  expect(table.empty).toBe(1);
});

test('a file is UTF-8, UTF-16 by its mark, or as Windows wrote it', () => {
  const utf16 = new Uint8Array([0xff, 0xfe, 0xe9, 0x00, 0x2c, 0x00]);
  expect(decodeText(utf16)).toEqual({ text: 'é,', encoding: 'UTF-16' });
  expect(decodeText(new Uint8Array([0xfe, 0xff, 0x00, 0xe9]))).toEqual({
    text: 'é',
    encoding: 'UTF-16',
  });
  expect(decodeText(new Uint8Array([0xe9, 0x80]))).toEqual({
    text: 'é€',
    encoding: 'Windows-1252',
  });
  expect(decodeText(new TextEncoder().encode('\uFEFFé'))).toEqual({ text: 'é', encoding: 'UTF-8' });
});
