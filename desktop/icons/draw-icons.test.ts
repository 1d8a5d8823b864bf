import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { drawIcons } from './draw-icons.ts';

test('every icon has the size its system asks for, and the template of macOS is nothing but black', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'ovation-icons-'));
  await drawIcons(directory);
  const sizes = {
    'icon.png': 1024,
    'tray.png': 16,
    'tray@2x.png': 32,
    'badge.png': 32,
    'trayTemplate.png': 16,
    'trayTemplate@2x.png': 32,
  };
  for (const [name, size] of Object.entries(sizes)) {
    const { width, height, hasAlpha } = await sharp(join(directory, name)).metadata();
    expect([name, width, height, hasAlpha]).toEqual([name, size, size, true]);
  }
  const template = await sharp(join(directory, 'trayTemplate.png')).stats();
  expect(template.channels.slice(0, 3).map(({ max }) => max)).toEqual([0, 0, 0]);
  expect(template.channels[3]?.max).toBeGreaterThan(200);
  await rm(directory, { recursive: true });
});
