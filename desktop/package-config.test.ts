import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { APP_ID, LINK_SCHEME, NOTICE_CLASS } from './main/launch.ts';
import { FUSES, packageConfig as configOf, updatesOf } from './package-config.ts';

const packageConfig = configOf(undefined);
const { linux, mac, win, extraMetadata } = packageConfig;

test('a deb can be made: it has an address and a maintainer who can be written to', () => {
  expect(linux?.target).toContainEqual({ target: 'deb', arch: ['x64', 'arm64'] });
  expect(new URL(String(extraMetadata?.homepage)).protocol).toBe('https:');
  expect(linux?.maintainer).toMatch(/^[\w ]+ <[\w.]+@[\w.]+>$/);
  expect(extraMetadata?.author).toMatchObject({ email: expect.stringContaining('@') });
});

test('the packages hold the built app and nothing of npm, in an archive, with the fuses set', () => {
  expect(packageConfig.files).toContain('!node_modules/**');
  expect(extraMetadata?.main).toBe('out/main/main.js');
  expect(packageConfig).toMatchObject({ asar: true, electronFuses: FUSES });
  // Without it no Mac with Apple's processor starts what nobody has signed.
  expect(packageConfig.electronFuses).toMatchObject({ resetAdHocDarwinSignature: true });
});

test('what the app never needs is burnt out of the binary', () => {
  expect(FUSES).toEqual({
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
  });
});

test('the app is known to the system by the name of its packages', () => {
  expect(packageConfig.appId).toBe(APP_ID);
});

test('macOS gets a dmg to install from and a zip, which is what updates are made of', () => {
  const arch = ['x64', 'arm64'];
  expect(mac?.target).toEqual([
    { target: 'dmg', arch },
    { target: 'zip', arch },
  ]);
});

test('every system gets its packages for Intel and for ARM', () => {
  for (const targets of [linux?.target, mac?.target, win?.target]) {
    expect(targets).not.toEqual([]);
    for (const target of [targets ?? []].flat()) {
      expect(target).toMatchObject({ arch: ['x64', 'arm64'] });
    }
  }
  expect(win?.target).toMatchObject([{ target: 'nsis' }]);
});

test('what the app told Windows of itself goes when it is uninstalled', () => {
  const script = join(import.meta.dirname, '..', String(packageConfig.nsis?.include));
  const gone = readFileSync(script, 'utf8')
    .split('\n')
    .filter((line) => line.trim().startsWith('Delete'));
  for (const name of [`Classes\\${LINK_SCHEME}"`, `${NOTICE_CLASS}"`, `Run" "${APP_ID}"`]) {
    expect(gone.some((line) => line.includes(name))).toBe(true);
  }
});

const SOURCE = { UPDATE_URL: 'https://updates.example/a', UPDATE_KEY_FILE: '/keys/updates.pem' };

test('a package that looks for updates has their address and the key they are checked with', () => {
  expect(packageConfig.publish).toBeNull();
  expect(extraMetadata).not.toHaveProperty('updatePublicKey');
  const releaseNotes = 'Faster start.';
  const config = configOf({ url: SOURCE.UPDATE_URL, publicKey: 'abc', releaseNotes });
  expect(config.releaseInfo).toEqual({ releaseNotes });
  expect(config.publish).toEqual([{ provider: 'generic', url: 'https://updates.example/a' }]);
  expect(config.extraMetadata).toMatchObject({ updatePublicKey: 'abc', main: 'out/main/main.js' });
});

test('an address for updates needs to be safe, a key, and a signed package where systems look for one', () => {
  expect(updatesOf({}, 'darwin')).toBeUndefined();
  const source = { url: SOURCE.UPDATE_URL, keyFile: SOURCE.UPDATE_KEY_FILE };
  expect(updatesOf(SOURCE, 'linux')).toEqual(source);
  expect(updatesOf({ ...SOURCE, CSC_NAME: 'Ovation' }, 'darwin')).toEqual(source);
  expect(updatesOf({ ...SOURCE, WIN_CSC_LINK: 'x.pfx' }, 'win32')).toEqual(source);
  const plain = { ...SOURCE, UPDATE_URL: 'http://updates.example/a' };
  expect(() => updatesOf(plain, 'linux')).toThrow('UPDATE_URL must begin with https');
  expect(() => updatesOf({ UPDATE_URL: SOURCE.UPDATE_URL }, 'linux')).toThrow('UPDATE_KEY_FILE');
  expect(() => updatesOf(SOURCE, 'darwin')).toThrow('set CSC_LINK or CSC_NAME');
  expect(() => updatesOf(SOURCE, 'win32')).toThrow('set WIN_CSC_LINK or CSC_LINK');
});
