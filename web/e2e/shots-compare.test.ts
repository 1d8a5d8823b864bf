import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { comparePictures } from './shots-compare.ts';

const WIDTH = 4;

interface Shot {
  height?: number;
  /** How many are red in a gray picture. */
  red?: number;
  /** How red they are; the gray is 0x80. */
  tone?: number;
}

async function draw(folder: string, pictures: Record<string, Shot>): Promise<string> {
  mkdirSync(folder);
  for (const [name, { height = 4, red = 0, tone = 0x89 }] of Object.entries(pictures)) {
    const data = Buffer.alloc(WIDTH * height * 3, 0x80);
    for (let pixel = 0; pixel < red; pixel += 1) data[pixel * 3] = tone;
    const raw = { width: WIDTH, height, channels: 3 } as const;
    await sharp(data, { raw }).png().toFile(join(folder, name));
  }
  return folder;
}

async function compare(before: Record<string, Shot>, after: Record<string, Shot>) {
  const out = mkdtempSync(join(tmpdir(), 'shots-'));
  const folders = [join(out, 'before'), join(out, 'after')] as const;
  const pairs = await comparePictures(
    await draw(folders[0], before),
    await draw(folders[1], after),
    out,
  );
  return { pairs, sheet: readFileSync(join(out, 'pairs.html'), 'utf8') };
}

test('every pixel of another color counts, and the most different pair comes first', async () => {
  const { pairs, sheet } = await compare(
    { 'a.png': {}, 'b.png': {}, 'c.png': {} },
    { 'a.png': {}, 'b.png': { red: 1 }, 'c.png': { red: 5 } },
  );
  expect(pairs.map(({ name, pixels }) => [name, pixels])).toEqual([
    ['c.png', 5],
    ['b.png', 1],
    ['a.png', 0],
  ]);
  expect(sheet).toContain('difference/b.png');
  expect(sheet).not.toContain('difference/a.png');
});

test('what the browser itself varies by from run to run is no difference', async () => {
  const { pairs } = await compare({ 'a.png': {} }, { 'a.png': { red: 9, tone: 0x88 } });
  expect(pairs).toEqual([{ name: 'a.png', pixels: 0, in: ['before', 'after'] }]);
});

test('what only one of two pictures has differs, and so does a picture without its other', async () => {
  const { pairs } = await compare(
    { 'grown.png': {}, 'gone.png': {} },
    { 'grown.png': { height: 6 }, 'new.png': {} },
  );
  expect(pairs).toEqual([
    { name: 'gone.png', pixels: 16, in: ['before'] },
    { name: 'new.png', pixels: 16, in: ['after'] },
    { name: 'grown.png', pixels: 8, in: ['before', 'after'] },
  ]);
});
