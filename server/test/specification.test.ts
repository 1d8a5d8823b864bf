import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findFaults, readMap } from './specification-map.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/specification.md'), 'utf8');

function readFile(file: string): string | undefined {
  const path = join(ROOT, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

test('every fact of the specification is there once, with files and tests that exist', () => {
  expect(findFaults(readMap(PAGE), readFile)).toEqual([]);
});

test('facts without a test are told', () => {
  const open = readMap(PAGE).filter(({ isOpen }) => isOpen);
  process.stdout.write(`Facts of the specification without a whole test: ${open.length}\n`);
  expect(open.length).toBe(0);
});

const ROW = /^\| 5\.29 .*$/m;
const shows = (shown: string): string =>
  PAGE.replace(ROW, `| 5.29 | e-mail addresses have limits | ${shown} |`);

test.each([
  ['a missing fact', PAGE.replace(ROW, ''), '5.29 is there 0 times'],
  ['a fact twice', PAGE.replace(ROW, (row) => `${row}\n${row}`), '5.29 is there 2 times'],
  ['a fact too many', PAGE.replace(ROW, (row) => `${row}\n| 5.30 | x | open |`), '5.30 is no fact'],
  [
    'a missing file',
    shows('`shared/domain/gone.test.ts`: %s is an address'),
    '5.29: there is no shared/domain/gone.test.ts',
  ],
  [
    'a name no test has',
    shows('`shared/domain/email.test.ts`: is an address'),
    '5.29: shared/domain/email.test.ts has no test “is an address”',
  ],
])('%s in the map is found', (_what, page, fault) => {
  expect(findFaults(readMap(page), readFile)).toEqual([fault]);
});

test('a fact that is open, wholly or in part, is no fault but counted', () => {
  const isOpen = (shown: string): boolean | undefined =>
    readMap(shows(shown)).find(({ id }) => id === '5.29')?.isOpen;
  expect(isOpen('open')).toBe(true);
  expect(isOpen('`shared/domain/email.test.ts`: %s is an address<br>open')).toBe(true);
  expect(isOpen('`shared/domain/email.test.ts`: %s is an address')).toBe(false);
});
