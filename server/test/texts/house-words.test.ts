import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { houseFaults } from './house-words.ts';

const ROOT = join(import.meta.dirname, '../../..');
const FILES = globSync(
  ['{desktop,server,shared,web}/**/*.{ts,tsx,mjs,css}', 'docs/**/*.md', 'README.md'],
  { cwd: ROOT, exclude: ['**/node_modules/**', '**/dist/**', '**/out/**'] },
);

test('code, tests and documents say things in terms of the field', () => {
  expect(FILES.length).toBeGreaterThan(2000);
  const faults = FILES.flatMap((file) => houseFaults(file, readFileSync(join(ROOT, file), 'utf8')));
  expect(faults).toEqual([]);
});

test.each([
  ['every local copy is read again', 'replica'],
  ['what the server put off', 'deferred'],
  ['const putOff = 1;', 'deferred'],
  ['await recallProfile(name)', 'restore'],
  ['this.#takeOver(row)', 'adopt'],
  ["import { useExit } from './a.ts';", 'cancellation'],
  ['findStanding(db)', 'status'],
  ['  most: number;', 'limit'],
  ['if (used < use.most) return;', 'limit'],
  ['spoilFields(input)', 'corrupted'],
  ['const isTwin = true;', 'duplicate'],
  ['listGivenDays: GivenDays', 'service credit'],
  ['it is noted first', 'logged'],
  ['const takeTurn = createTurns();', 'queue'],
  ['if (isExpired(card)) return;', 'of what'],
])('a planted "%s" is found', (line, term) => {
  expect(houseFaults('server/src/a.ts', `\n${line}\n`).join()).toContain(term);
});

test('a word that something written before has may stay there, and nowhere else', () => {
  const line = 'state.deferred = state.putOff;';
  expect(houseFaults('web/src/replica/store/local-database-versions.ts', line)).toEqual([]);
  expect(houseFaults('web/src/replica/store/other.ts', line)).toHaveLength(1);
});
