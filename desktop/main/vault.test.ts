import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createVault } from './vault.ts';

/** A keyring whose "encryption" can be told from plain text. */
const keyring = (backend: 'gnome_libsecret' | 'basic_text', isAvailable = true) => ({
  isEncryptionAvailable: () => isAvailable,
  getSelectedStorageBackend: () => backend,
  encryptString: (text: string) => Buffer.from(text).map((byte) => byte ^ 0xff) as Buffer,
  decryptString: (bytes: Buffer) => Buffer.from(bytes.map((byte) => byte ^ 0xff)).toString(),
});

test('what is kept is encrypted, only for this person, and can be read again', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'ovation-vault-'));
  const file = join(directory, 'session');
  const vault = createVault(file, keyring('gnome_libsecret'), true);
  expect(vault.read()).toBeUndefined();
  vault.write('ovation=secret');
  expect(readFileSync(file, 'latin1')).not.toContain('secret');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(vault.read()).toBe('ovation=secret');
  vault.clear();
  expect(existsSync(file)).toBe(false);
  await rm(directory, { recursive: true });
});

test('a keyring with a fixed password protects nothing, so nothing is kept', () => {
  expect(createVault('/nowhere', keyring('basic_text'), true).canKeep()).toBe(false);
  expect(createVault('/nowhere', keyring('gnome_libsecret', false), true).canKeep()).toBe(false);
  expect(createVault('/nowhere', keyring('basic_text'), false).canKeep()).toBe(true);
});

test('a keyring that fails holds nothing to read, and the app starts all the same', () => {
  const broken = {
    ...keyring('gnome_libsecret'),
    isEncryptionAvailable: () => {
      throw new Error('no bus');
    },
  };
  expect(createVault('/nowhere', broken, true).read()).toBeUndefined();
});

test('what could not be written whole leaves what was kept before, and goes when it is cleared', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'ovation-vault-'));
  const file = join(directory, 'session');
  const vault = createVault(file, keyring('gnome_libsecret'), true);
  vault.write('ovation=first');
  await mkdir(`${file}.part`);
  expect(() => vault.write('ovation=second')).toThrow('EISDIR');
  expect(vault.read()).toBe('ovation=first');
  await rm(`${file}.part`, { recursive: true });
  await writeFile(`${file}.part`, 'half');
  vault.clear();
  expect(await readdir(directory)).toEqual([]);
  await rm(directory, { recursive: true });
});
