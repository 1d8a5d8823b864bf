import { expect, test } from 'vitest';
import { filesIn, hasTest, missingFiles, readPage, rowsIn, testsIn } from './named-tests.ts';

const PAGE = readPage('docs/desktop.md');
const ROWS = rowsIn(PAGE.slice(PAGE.indexOf('## What a review found')), /^\d/).map(
  ([nr = '', , , proof = '']) => ({ nr, proof }),
);

/** The lines of "First run" that a cell names, each with words of that line: First run 1 “a window”. */
const linesIn = (cell: string): { line: string; words: string | undefined }[] =>
  Array.from(cell.matchAll(/First run (\d+)(?: “([^”]+)”)?/g), ([, line = '', words]) => ({
    line,
    words,
  }));

/** "2.1" to "2.21". */
const numbers = (part: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${part}${index + 1}`);

test('every finding about the desktop app stands in its tables once', () => {
  const wanted = [numbers('', 9), numbers('2.', 21), numbers('3.', 14), numbers('4.', 9)].flat();
  expect(ROWS.map(({ nr }) => nr)).toEqual(wanted);
});

test('every finding names a test that is there, or a line of the first run', () => {
  const named = ROWS.flatMap(({ proof }) => testsIn(proof));
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((each) => !hasTest(each))).toEqual([]);
  const bare = ROWS.filter(({ proof }) => testsIn(proof).length + linesIn(proof).length === 0);
  expect(bare.map(({ nr }) => nr)).toEqual([]);
});

test('every line of the first run that a finding names is there, and has the words it names', () => {
  const list = PAGE.slice(PAGE.indexOf('## First run'), PAGE.indexOf('## What a review found'));
  const lines = new Map(
    list
      .split(/^(?=\d+\. )/m)
      .slice(1)
      .map((line) => [line.split('.')[0], line.replaceAll(/\s+/g, ' ')]),
  );
  expect([...lines.keys()]).toEqual(numbers('', 19));
  const named = ROWS.flatMap(({ proof }) => linesIn(proof));
  expect(named.length).toBeGreaterThan(25);
  const wrong = named.filter(
    ({ line, words }) => words === undefined || !lines.get(line)?.includes(words),
  );
  expect(wrong).toEqual([]);
});

test('every file that the desktop page names is there', () => {
  const files = filesIn(PAGE).filter((file) => !file.includes('*'));
  expect(files.length).toBeGreaterThan(80);
  expect(missingFiles(files)).toEqual([]);
});
