import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readReleaseNotes } from './release-notes.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ovation-notes-'));
  mkdirSync(join(folder, 'desktop'));
  writeFileSync(join(folder, 'package.json'), '{"version":"1.2.0"}');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function notesOf(text: string): string {
  writeFileSync(join(folder, 'desktop/release-notes.md'), text);
  return readReleaseNotes(folder);
}

test('what is new stands below the version', () => {
  expect(notesOf('# 1.2.0\n\nFaster start.\nFewer clicks.\n')).toBe('Faster start.\nFewer clicks.');
});

test.each([
  ['of the version before', '# 1.1.0\n\nFaster start.\n'],
  ['of a version whose number goes on', '# 1.2.0-beta\n\nFaster start.\n'],
  ['without a word', '# 1.2.0\n\n'],
  ['in an empty file', ''],
])('notes %s are none', (_which, text) => {
  expect(() => notesOf(text)).toThrow('must say what is new in this version: "# 1.2.0"');
});

test('a project without notes is told where they belong', () => {
  expect(() => readReleaseNotes(folder)).toThrow('desktop/release-notes.md must say');
});

test('this version has its notes', () => {
  expect(readReleaseNotes(join(import.meta.dirname, '..'))).not.toBe('');
});
