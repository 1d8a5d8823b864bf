import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NOT_RUN, RUN_BY, SHORT_FORMS } from './documents/short-forms.ts';

const ROOT = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

test('every file a script runs is there', () => {
  const files = Object.values(scripts).flatMap((line) => line.match(/[\w./-]+\.m?[jt]s\b/g) ?? []);
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test('every script the README names is there', () => {
  const named = [...readme.matchAll(/`npm run ([\w:-]+)/g)].map((match) => match[1] ?? '');
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test('every command the README names is run by the suite, in a short form or whole, or says why not', () => {
  const table = readme.slice(readme.indexOf('| command'), readme.indexOf('## How to operate it'));
  const cells = [...table.matchAll(/^\| (`.*?) +\|/gm)].map((match) => match[1] ?? '');
  const named = cells
    .flatMap((cell) => [...cell.matchAll(/`(?:npm (?:run )?)?([\w:-]+)/g)])
    .map((match) => match[1] ?? '');
  expect(named.length).toBeGreaterThan(20);
  const forms = SHORT_FORMS.map(({ command }) => command);
  const known = new Set([...forms, ...Object.keys(RUN_BY), ...Object.keys(NOT_RUN)]);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
  expect([...known].filter((name) => !(name in scripts))).toEqual([]);
  expect(
    [...known].filter((name) => !readme.includes(`npm run ${name}`) && !named.includes(name)),
  ).toEqual([]);
  expect(Object.values(RUN_BY).filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});
