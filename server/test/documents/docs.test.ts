import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { filesIn, missingFiles, readPage } from './named-tests.ts';

const ROOT = join(import.meta.dirname, '../../..');
const MOVES = 'docs/testing-moves.md';
const PAGES = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT })];

test('every file that a page names or links to is there', () => {
  const missing = PAGES.flatMap((page) => {
    const whole = readPage(page);
    // Its headings are specs that are gone.
    const text = page === MOVES ? whole.replaceAll(/^## .*$/gm, '') : whole;
    const links = Array.from(text.matchAll(/\]\(([^)#:]+)[)#]/g), ([, link = '']) => link);
    return [
      ...missingFiles(filesIn(text).filter((file) => !file.includes('*'))),
      ...links.filter((link) => !existsSync(join(ROOT, dirname(page), link))),
    ].map((file) => `${page}: ${file}`);
  });
  expect(missing).toEqual([]);
});

/** The files that a text names by their last part alone, or by more of their path. */
const namesIn = (text: string): string[] =>
  Array.from(text.matchAll(/`([\w-][\w./-]*\.(?:tsx?|sql|css|mjs|md))`/g), ([, name = '']) => name);

test('every file that a page of docs/ names by its last part is somewhere', () => {
  const files = globSync('**/*.{ts,tsx,sql,css,mjs,md}', {
    cwd: ROOT,
    exclude: ['**/node_modules/**', '**/dist/**', '**/out/**'],
  });
  const known = Map.groupBy(files, (file) => basename(file));
  const isThere = (name: string): boolean =>
    known.get(basename(name))?.some((file) => `/${file}`.endsWith(`/${name}`)) ?? false;
  // The moves tell of files that are gone.
  const pages = globSync('docs/*.md', { cwd: ROOT }).filter((page) => page !== MOVES);
  const missing = pages.flatMap((page) =>
    namesIn(readPage(page))
      .filter((name) => !isThere(name))
      .map((name) => `${page}: ${name}`),
  );
  expect(missing).toEqual([]);
});

/** Which variables this code reads. */
const readVariables = (code: string): string[] =>
  Array.from(
    code.matchAll(
      /(?:\.(?:text|port|seconds|url|oneOf|list|secret)\(\s*|process\.env\[)'([A-Z_]{4,})'/g,
    ),
    ([, name = '']) => name,
  );

test('every variable that the product reads stands in the operator’s table, and no other', () => {
  const table = readPage('docs/operating.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const from = table.findIndex((line) => line.includes('`HOST`'));
  const rows = table.slice(from, table.findIndex((line) => line.includes('`LOG_LEVEL`')) + 1);
  const told = rows.flatMap((line) => line.split('|')[1]?.match(/[A-Z_]{4,}/g) ?? []);
  const config = globSync(['server/src/main/config/*.ts', 'web/vite.config.ts'], {
    cwd: ROOT,
  }).filter((file) => !file.includes('.test.'));
  const read = config.flatMap((file) => readVariables(readFileSync(join(ROOT, file), 'utf8')));
  expect([...new Set(read)].sort()).toEqual([...new Set(told)].sort());
});

test('a variable that a page doesn’t name is found', () => {
  expect(readVariables(`const share = env.list('SECOND_PROVIDER_PERCENT');`)).toEqual([
    'SECOND_PROVIDER_PERCENT',
  ]);
});
