import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSettingsFile } from './settings-file.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ovation-settings-'));
});
afterEach(() => rm(directory, { recursive: true }));

test('what was changed is there after a restart, the last change last', async () => {
  const path = join(directory, 'new folder', 'settings.json');
  const settings = await openSettingsFile(path);
  void settings.change({ server: 'https://a.example' });
  await settings.change({ server: 'https://b.example' });
  expect((await openSettingsFile(path)).read()).toEqual({ server: 'https://b.example' });
});

test.each(['', '{', '{"server":5}', 'null'])('a damaged file starts empty: %j', async (text) => {
  const path = join(directory, 'settings.json');
  await writeFile(path, text);
  const settings = await openSettingsFile(path);
  expect(settings.read()).toEqual({});
  await settings.change({ server: 'https://a.example' });
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ server: 'https://a.example' });
});
