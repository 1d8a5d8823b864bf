import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
const TABLE = PAGE.slice(PAGE.indexOf('## ASVS'))
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, id = '', requirement = '', met = '', where = '', proof = '']) => ({
    id,
    requirement,
    met,
    where,
    proof,
  }));

const filesIn = (text: string): string[] =>
  Array.from(text.matchAll(/`((?:server|shared|web|docs)\/[^`]+\.\w+)`/g), ([, file = '']) => file);

test('every file that the security page names is there', () => {
  const files = filesIn(PAGE);
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test('what is said to be met says where, and is shown by a test or said by the page itself', () => {
  expect(TABLE.length).toBeGreaterThan(50);
  const bare = TABLE.filter(({ met, where, proof }) => {
    const isShown = filesIn(proof).some((file) => file.includes('.test.'));
    return met === 'yes' && (where === '' || (!isShown && where !== 'this page'));
  });
  expect(bare.map(({ id }) => id)).toEqual([]);
});

test('what is not met is explained above the table', () => {
  const missing = TABLE.filter(({ met }) => met === 'no').flatMap(({ id }) => id.split(', '));
  const explained = PAGE.slice(PAGE.indexOf('## What is known'), PAGE.indexOf('## Tests that'));
  expect(missing.length).toBeGreaterThan(0);
  expect(missing.filter((id) => !explained.includes(id))).toEqual([]);
});
