import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { drawIcons } from './package.ts';

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
    'trayNews.png': 16,
    'trayNews@2x.png': 32,
    'trayNewsTemplate.png': 16,
    'trayNewsTemplate@2x.png': 32,
    'linux/16x16.png': 16,
    'linux/24x24.png': 24,
    'linux/32x32.png': 32,
    'linux/48x48.png': 48,
    'linux/64x64.png': 64,
    'linux/128x128.png': 128,
    'linux/256x256.png': 256,
    'linux/512x512.png': 512,
  };
  for (const [name, size] of Object.entries(sizes)) {
    const { width, height, hasAlpha } = await sharp(join(directory, name)).metadata();
    expect([name, width, height, hasAlpha]).toEqual([name, size, size, true]);
  }
  for (const name of ['trayTemplate.png', 'trayNewsTemplate.png']) {
    const template = await sharp(join(directory, name)).stats();
    expect(template.channels.slice(0, 3).map(({ max }) => max)).toEqual([0, 0, 0]);
    expect(template.channels[3]?.max).toBeGreaterThan(200);
  }
  await rm(directory, { recursive: true });
});
