import sharp from 'sharp';
import { expect, test } from 'vitest';
import { draw } from './draw.ts';
import { parseMadeKey, SCENES, sceneKey } from './scene-key.ts';

test.each(SCENES)('a %s is a JPEG of 1080 px with light and shade in it', async (scene) => {
  const bytes = await draw(sceneKey(scene, 4));
  const { format, width, height } = await sharp(bytes).metadata();
  expect([format, width]).toEqual(['jpeg', 1080]);
  expect([1080, 1350]).toContain(height);
  const { channels, entropy } = await sharp(bytes).stats();
  expect(entropy).toBeGreaterThan(5);
  expect(Math.max(...channels.map((channel) => channel.stdev))).toBeGreaterThan(15);
});

test('the same key gives the same bytes, another seed another picture', async () => {
  const [first, again, other] = await Promise.all(
    ['dunes-3', 'dunes-3', 'dunes-4'].map((name) => draw(`scene/${name}.jpg`)),
  );
  expect(Buffer.compare(first ?? new Uint8Array(), again ?? new Uint8Array())).toBe(0);
  expect(Buffer.compare(first ?? new Uint8Array(), other ?? new Uint8Array())).not.toBe(0);
});

test('uploads and unknown scenes are not made', async () => {
  expect(parseMadeKey('upload/abc.jpg')).toBeUndefined();
  expect(parseMadeKey('scene/volcano-1.jpg')).toBeUndefined();
  await expect(draw('scene/volcano-1.jpg')).rejects.toThrow(RangeError);
});
