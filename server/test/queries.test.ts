import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '../src');
/** What ends a statement's life outside a repository: building one of a table, or writing one out. */
const QUERY = /\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|\bsql(?:<[^`]*>)?`/;
/** `ops` looks at the whole database for operators, `main` fills the one of a demo, `kit/db` opens it. */
const ELSEWHERE = /^(?:ops|main|kit\/db)\/|\.(?:test|fake|conformance)\.|\/fake-/;

const holdsQuery = (text: string): boolean => QUERY.test(text.replaceAll(/\/\*[\s\S]*?\*\//g, ''));

test('queries stand in repository files only', () => {
  const files = globSync('**/*.ts', { cwd: SOURCES }).filter(
    (file) => !file.endsWith('.repository.ts') && !ELSEWHERE.test(file),
  );
  const found = files.filter((file) => holdsQuery(readFileSync(join(SOURCES, file), 'utf8')));
  expect(files.length).toBeGreaterThan(250);
  expect(found.toSorted()).toEqual([]);
});

test('a statement is found however it is built, and what a comment says isn’t one', () => {
  expect(holdsQuery("db\n    .selectFrom('post')")).toBe(true);
  expect(holdsQuery('await sql<{ id: string }>`select 1`.execute(db);')).toBe(true);
  expect(holdsQuery('/** Read by sql`select 1`. */\nconst sql = 1;')).toBe(false);
});
