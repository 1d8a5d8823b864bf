import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSettingsFile } from './settings.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ovation-settings-'));
});
afterEach(() => rm(directory, { recursive: true }));

test('what was changed is there after a restart, the last change last', async () => {
  const path = join(directory, 'new folder', 'settings.json');
  const settings = await openSettingsFile(path);
  settings.change({ server: 'https://a.example' });
  settings.change({ server: 'https://b.example' });
  expect((await openSettingsFile(path)).read()).toEqual({ server: 'https://b.example' });
});

test.each(['', '{', '{"server":5}', 'null'])('a damaged file starts empty: %j', async (text) => {
  const path = join(directory, 'settings.json');
  await writeFile(path, text);
  const settings = await openSettingsFile(path);
  expect(settings.read()).toEqual({});
  settings.change({ server: 'https://a.example' });
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ server: 'https://a.example' });
});

const PLACE = { x: 1, y: 2, width: 800, height: 600, isMaximized: false };

test('a place that is none does not lose the server, nor the other way round', async () => {
  const path = join(directory, 'settings.json');
  const read = async (kept: unknown) => {
    await writeFile(path, JSON.stringify(kept));
    return (await openSettingsFile(path)).read();
  };
  const server = 'https://a.example';
  for (const place of [5, {}, { ...PLACE, x: 'left' }, { ...PLACE, width: 0.5 }]) {
    expect(await read({ server, place })).toEqual({ server });
  }
  expect(await read({ server: 5, place: PLACE })).toEqual({ place: PLACE });
  await writeFile(path, `{"place":{"x":1e400,"y":0,"width":1,"height":1,"isMaximized":true}}`);
  expect((await openSettingsFile(path)).read()).toEqual({});
});

test('what a newer version of the app left is read as far as this one knows it', async () => {
  const path = join(directory, 'settings.json');
  const server = 'https://a.example';
  const newer = { version: 9, server, place: { ...PLACE, screen: 2 }, told: ['on_mars'], more: {} };
  await writeFile(path, JSON.stringify(newer));
  const settings = await openSettingsFile(path);
  expect(settings.read()).toEqual({ server, place: PLACE, told: ['on_mars'] });
  settings.change({ keepsRunning: false });
  expect((await openSettingsFile(path)).read()).toMatchObject({ server, keepsRunning: false });
});

test('what a newer version of the app left stays in the file, also where this one can not read it', async () => {
  const path = join(directory, 'settings.json');
  const newer = { theme: 'dark', keepsRunning: 'in the tray', place: { ...PLACE, screen: 2 } };
  await writeFile(path, JSON.stringify({ ...newer, told: ['no_tray', 'on_mars'] }));
  const settings = await openSettingsFile(path);
  expect(settings.read()).toEqual({ place: PLACE, told: ['no_tray', 'on_mars'] });
  settings.change({ server: 'https://a.example' });
  settings.change({ told: [...(settings.read().told ?? []), 'no_keyring'] });
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
    ...newer,
    server: 'https://a.example',
    told: ['no_tray', 'on_mars', 'no_keyring'],
  });
});

test.each([
  'http://likes.example',
  'https://u:p@a.example',
  'https://a.example/x',
  'a.example',
  '',
])('a kept server that could not be typed is forgotten: %j', async (server) => {
  const path = join(directory, 'settings.json');
  await writeFile(path, JSON.stringify({ server, place: PLACE }));
  expect((await openSettingsFile(path)).read()).toEqual({ place: PLACE });
});

test('what could not be written has not changed', async () => {
  const path = join(directory, 'a file', 'settings.json');
  await writeFile(join(directory, 'a file'), '');
  const settings = await openSettingsFile(path);
  expect(() => settings.change({ server: 'https://a.example' })).toThrow('EEXIST');
  expect(settings.read()).toEqual({});
});
