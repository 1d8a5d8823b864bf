import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

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
