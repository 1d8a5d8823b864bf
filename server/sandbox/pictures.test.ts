import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openFileStore, type FileStore } from './files.ts';
import { openPictures, SCENES, sceneKey, type Pictures } from './pictures.ts';

let files: FileStore;
let pictures: Pictures;
beforeEach(() => {
  files = openFileStore(':memory:');
  pictures = openPictures(files);
});
afterEach(async () => {
  await pictures.close();
  files.close();
});

const bytesOf = async (key: string): Promise<Buffer> =>
  readFileSync((await pictures.ensure(key)) ?? 'no file');

test.each(SCENES)('a %s is a JPEG with light and shade in it, whatever its part', async (scene) => {
  for (const seed of [2, 14, 1_000_000_007]) {
    const bytes = await bytesOf(sceneKey(scene, seed));
    const { format, width, height } = await sharp(bytes).metadata();
    expect(format).toBe('jpeg');
    expect(width).toBeGreaterThanOrEqual(860);
    expect([1, 1.25]).toContain(height / width);
    // Read from a file of its own: `stats` reads its source as it was before it was made smaller.
    const small = await sharp(bytes).resize(200).toBuffer();
    const { channels, entropy } = await sharp(small).stats();
    expect(entropy).toBeGreaterThan(5);
    expect(Math.max(...channels.map((channel) => channel.stdev))).toBeGreaterThan(15);
  }
});

/** How many of 60 posts are looked at: each picture of a scene and each part of it is among every fourth. */
const PICTURES_EVERY = Number(process.env['PICTURES_EVERY'] ?? 4);

test('60 posts in a row show different pictures', async () => {
  const posts = Array.from({ length: 60 / PICTURES_EVERY }, (_, nth) => nth * PICTURES_EVERY);
  const keys = posts.map((nth) => sceneKey('sea', nth));
  const seen = await Promise.all(keys.map(async (key) => (await bytesOf(key)).toString('base64')));
  expect(new Set(seen).size).toBe(60 / PICTURES_EVERY);
});

test('the same key gives the same file, asked for twice at once too', async () => {
  const [first, second] = await Promise.all([
    pictures.ensure('scene/dunes-3.jpg'),
    pictures.ensure('scene/dunes-3.jpg'),
  ]);
  expect(first).toBe(files.path('scene/dunes-3.jpg'));
  expect(second).toBe(first);
});

test('faces and the film are there for every number', async () => {
  for (let seed = 0; seed < 20; seed += 1) {
    expect((await sharp(await bytesOf(`face/${seed}.jpg`)).metadata()).width).toBe(480);
  }
  expect((await bytesOf('scene/sea-7.webm')).subarray(0, 4).toString('hex')).toBe('1a45dfa3');
});

test('uploads that were never made and unknown scenes have no file', async () => {
  expect(await pictures.ensure('upload/abc.jpg')).toBeUndefined();
  expect(await pictures.ensure('scene/volcano-1.jpg')).toBeUndefined();
});

test('all pictures together weigh less than 6 MB', () => {
  const folder = join(import.meta.dirname, 'pictures');
  const bytes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(6_000_000);
});
