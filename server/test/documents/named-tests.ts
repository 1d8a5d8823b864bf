import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

/** A page of the documentation, by its path in the project. */
export const readPage = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The rows of the tables in a text: the cells of each, the first of which fits. */
export function rowsIn(text: string, first: RegExp): string[][] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter(([cell = '']) => first.test(cell));
}

/** The files of the project that a text names. */
export const filesIn = (text: string): string[] =>
  Array.from(
    text.matchAll(/`((?:server|shared|web|desktop|docs)\/[^`]+\.\w+)`/g),
    ([, file = '']) => file,
  );

/** Those of the files that aren't there. */
export const missingFiles = (files: readonly string[]): string[] =>
  files.filter((file) => !existsSync(join(ROOT, file)));

interface NamedTest {
  file: string;
  name: string;
}

/** The tests that a cell names: "`file`: name; `file`: name". */
export const testsIn = (cell: string): NamedTest[] =>
  Array.from(
    cell.matchAll(/`([^`]+\.(?:test|spec)\.tsx?)`: (.+?)(?=; `|$)/g),
    ([, file = '', name = '']) => ({ file, name }),
  );

/** Whether a file has a test of exactly that name; one of several rows is named as it stands there. */
export function hasTest({ file, name }: NamedTest): boolean {
  const path = join(ROOT, file);
  if (!existsSync(path)) return false;
  const source = readFileSync(path, 'utf8');
  return ["'", '"', '`'].some((quote) => source.includes(`${quote}${name}${quote},`));
}
