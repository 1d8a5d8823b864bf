import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findFaults, readMap, readTags } from './specification-map.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PAGE = readFileSync(join(ROOT, 'docs/specification.md'), 'utf8');
const TESTS = '{{shared,server,web,desktop}/**/*.{test,spec}.{ts,tsx},{web,desktop}/e2e/*.ts}';
const TAGS = globSync(TESTS, { cwd: ROOT, exclude: ['**/node_modules/**'] }).flatMap((file) =>
  readTags(file, readFileSync(join(ROOT, file), 'utf8')),
);

test('every fact of the specification is there once, and as many tests as it says show it', () => {
  expect(findFaults(readMap(PAGE), TAGS)).toEqual([]);
});

test('facts without a test are told', () => {
  const open = readMap(PAGE).filter(({ isOpen }) => isOpen);
  process.stdout.write(`Facts of the specification without a whole test: ${open.length}\n`);
  expect(open.length).toBe(0);
});

const ROW = /^\| 5\.29 .*$/m;
const SHOWS = '// Shows facts';
const SHOWN = readMap(PAGE).find(({ id }) => id === '5.29')?.tests ?? 0;
const WHERE = TAGS.filter(({ facts }) => facts.includes('5.29'))
  .map(({ file }) => file)
  .join(', ');

test.each([
  ['a missing fact', PAGE.replace(ROW, ''), '5.29 is there 0 times'],
  ['a fact twice', PAGE.replace(ROW, (row) => `${row}\n${row}`), '5.29 is there 2 times'],
  ['a fact too many', PAGE.replace(ROW, (row) => `${row}\n| 5.30 | x | open |`), '5.30 is no fact'],
  [
    'a test that went',
    PAGE.replace(ROW, `| 5.29 | x | ${SHOWN + 1} |`),
    `5.29: the page says ${SHOWN + 1} tests, ${SHOWN} say it (${WHERE})`,
  ],
])('%s on the page is found', (_what, page, fault) => {
  expect(findFaults(readMap(page), TAGS)).toEqual([fault]);
});

test.each([
  [`${SHOWS} 5.30.\ntest('x', () => {});`, 'a.ts: 5.30 is no fact'],
  [`${SHOWS} 5.28, 5.30.\nconst x = 1;`, 'a.ts: above no test stands that it shows 5.28, 5.30'],
])('%j in a test is found', (source, fault) => {
  expect(findFaults(readMap(PAGE), [...TAGS, ...readTags('a.ts', source)])).toContain(fault);
});

test('what a test shows stands above it, whatever else is said between', () => {
  const source = `  ${SHOWS} 1.01, 2.14.\n  // More.\n  test.each([1])('x', () => {});\n`;
  expect(readTags('a.ts', source)).toEqual([
    { file: 'a.ts', facts: ['1.01', '2.14'], isTest: true },
  ]);
});

test('a fact that is open, wholly or in part, is counted as open', () => {
  const isOpen = (shown: string): boolean | undefined =>
    readMap(PAGE.replace(ROW, `| 5.29 | x | ${shown} |`)).find(({ id }) => id === '5.29')?.isOpen;
  expect(isOpen('open')).toBe(true);
  expect(isOpen('1, open')).toBe(true);
  expect(isOpen('1')).toBe(false);
});
