import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ComparedAccount } from './diff-csv.ts';
import { readAccounts, type ReadFile } from './read-accounts.ts';

const account: ComparedAccount = {
  igUsername: 'ada',
  igId: '1',
  likes: 100,
  tags: [],
  client: null,
};
const readText = (text: string, accounts: readonly ComparedAccount[]): ReadFile =>
  readAccounts(new TextEncoder().encode(text), accounts);
const linesOf = (file: Uint8Array | undefined): string[] =>
  new TextDecoder().decode(file).trimEnd().split('\r\n');

test('of 70,000 faults the page is told the first 20 and their number, and gets all of them as a file', () => {
  const read = readText(`Account,Plan\n${'nobody,100\n'.repeat(70_000)}`, [account]);
  expect(read).toMatchObject({ rows: 70_000, faulty: 70_000, faultCount: 70_000 });
  expect(read.faults.map(({ line }) => line)).toEqual(
    Array.from({ length: 20 }, (_, nth) => nth + 2),
  );
  const lines = linesOf(read.faultFile);
  expect(lines).toHaveLength(70_001);
  expect(lines[70_000]).toBe(
    "70001,Account,'@nobody isn’t one of your connected accounts.,nobody,100",
  );
  const { faultFile, ...told } = read;
  expect(JSON.stringify(told).length).toBeLessThan(10_000);
  expect(faultFile?.buffer.byteLength).toBe(faultFile?.length);
});

test('more changes than one operation makes are told by their number alone', () => {
  const names = Array.from({ length: 5001 }, (_, nth) => `account.${nth}`);
  const accounts = names.map((igUsername, nth) => ({ ...account, igUsername, igId: `${nth}` }));
  const text = (of: readonly string[]): string =>
    ['Account,Plan', ...of.map((name) => `${name},500`)].join('\n');
  const beyond = readText(text(names), accounts);
  expect(beyond).toMatchObject({ changed: 5001, changeCount: 5001, changes: [] });
  const most = readText(text(names.slice(1)), accounts);
  expect(most).toMatchObject({ changed: 5000, changeCount: 5000, faultFile: undefined });
  expect(most.changes).toHaveLength(5000);
});

test('a row stands in the file of faults once, and corrected there it is read like the first file', () => {
  const first = readText(`Account,Plan,Tags\nada,123,${'x'.repeat(33)}`, [account]);
  expect(first.faultCount).toBe(2);
  const [heads, row, ...more] = linesOf(first.faultFile);
  expect(heads).toBe('Line,Column,Reason,Account,Plan,Tags');
  expect(row).toMatch(
    /^2,"Plan, Tags",There is no plan of 123 likes per post. “x{33}”: .+,ada,123,x{33}$/,
  );
  expect(more).toEqual([]);
  const corrected = [heads, row?.replace(/ada,.*$/, 'ada,500,VIP')].join('\r\n');
  const second = readText(corrected, [account]);
  expect(second).toMatchObject({ rows: 1, changed: 1, faultCount: 0, ignored: [] });
  const again = readText([heads, row].join('\r\n'), [account]);
  expect(linesOf(again.faultFile)).toEqual([heads, row]);
});

test('rows of delimiters alone are blank lines', () => {
  const read = readText('ID,Account,Plan\n,,\n,ada,500\n,,\n\n', [account]);
  expect(read).toMatchObject({ rows: 1, changed: 1, faulty: 0, empty: 3 });
});

test('two stray quotation marks hide no rows: their first line is an error, all others are read', () => {
  const names = ['ada', 'bob', 'cid', 'dan'];
  const accounts = names.map((igUsername, nth) => ({ ...account, igUsername, igId: `${nth}` }));
  const text = 'Account,Notes,Plan\nada,"x,500\nbob,y,500\ncid,z",500\ndan,"two\nlines",500';
  const read = readText(text, accounts);
  expect(read).toMatchObject({ rows: 4, changed: 3, faulty: 1, continued: 1 });
  expect(read.faults).toMatchObject([{ line: 2, reason: expect.stringMatching(/quotation mark/) }]);
  expect(read.changes.map(({ igUsername }) => igUsername)).toEqual(['bob', 'cid', 'dan']);
});

test('the head, rows, blank lines and those that belong to rows above come to all lines of a file', () => {
  const piece = fc.constantFrom('ada', ',', ',', '\n', '\n', '\r\n', '"', '"', 'x', '500', ' ');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = `Account,Plan\n${pieces.join('')}`;
      const { rows, empty, continued } = readText(text, [account]);
      const lines = text.replace(/(?:\r\n|\r|\n)$/, '').split(/\r\n|\r|\n/).length;
      expect(continued).toBeGreaterThanOrEqual(0);
      expect(1 + rows + empty + continued).toBe(lines);
    }),
    { numRuns: 2000 },
  );
});
