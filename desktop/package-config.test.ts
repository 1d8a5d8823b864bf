import { expect, test } from 'vitest';
import { FUSES, packageConfig } from './package-config.ts';

const { linux, mac, extraMetadata } = packageConfig;

test('a deb can be made: it has an address and a maintainer who can be written to', () => {
  expect(linux?.target).toContain('deb');
  expect(new URL(String(extraMetadata?.homepage)).protocol).toBe('https:');
  expect(linux?.maintainer).toMatch(/^[\w ]+ <[\w.]+@[\w.]+>$/);
  expect(extraMetadata?.author).toMatchObject({ email: expect.stringContaining('@') });
});

test('the packages hold the built app and nothing of npm, in an archive, with the fuses set', () => {
  expect(packageConfig.files).toContain('!node_modules/**');
  expect(extraMetadata?.main).toBe('out/main/main.js');
  expect(packageConfig).toMatchObject({ asar: true, electronFuses: FUSES });
});

test('macOS gets a dmg to install from and a zip, which is what updates are made of', () => {
  expect(mac?.target).toEqual(['dmg', 'zip']);
});
