import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { APP_ID, LINK_SCHEME, NOTICE_CLASS } from '../main/guards.ts';
import { FUSES } from './check.ts';
import { packageConfig as configOf, readReleaseNotes, updatesOf } from './package.ts';

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
  const script = join(import.meta.dirname, '../..', String(packageConfig.nsis?.include));
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

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ovation-notes-'));
  mkdirSync(join(folder, 'desktop'));
  writeFileSync(join(folder, 'package.json'), '{"version":"1.2.0"}');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function notesOf(text: string): string {
  writeFileSync(join(folder, 'desktop/release-notes.md'), text);
  return readReleaseNotes(folder);
}

test('what is new stands below the version', () => {
  expect(notesOf('# 1.2.0\n\nFaster start.\nFewer clicks.\n')).toBe('Faster start.\nFewer clicks.');
});

test.each([
  ['of the version before', '# 1.1.0\n\nFaster start.\n'],
  ['of a version whose number goes on', '# 1.2.0-beta\n\nFaster start.\n'],
  ['without a word', '# 1.2.0\n\n'],
  ['in an empty file', ''],
])('notes %s are none', (_which, text) => {
  expect(() => notesOf(text)).toThrow('must say what is new in this version: "# 1.2.0"');
});

test('a project without notes is told where they belong', () => {
  expect(() => readReleaseNotes(folder)).toThrow('desktop/release-notes.md must say');
});

test('this version has its notes', () => {
  expect(readReleaseNotes(join(import.meta.dirname, '../..'))).not.toBe('');
});

const WORKFLOW = readFileSync(
  join(import.meta.dirname, '../../.github/workflows/desktop.yml'),
  'utf8',
);
const STEPS = WORKFLOW.slice(WORKFLOW.indexOf('    steps:')).split(/^ {6}- /m);
const both = STEPS.filter((step) => step.includes('electron.spec.ts'));

test('the app runs from its sources and packaged, on Wayland in the shell of the compositor', () => {
  expect(both).toHaveLength(2);
  for (const step of both) expect(step).toContain('node desktop/e2e/start-packaged.ts');
  const [, wayland = ''] = both;
  const order = ['unset DISPLAY', 'XDG_SESSION_TYPE=wayland', 'weston ', 'electron.spec.ts'].map(
    (each) => wayland.indexOf(each),
  );
  expect(order).not.toContain(-1);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  // Electron no longer reads it.
  expect(WORKFLOW).not.toContain('ELECTRON_OZONE_PLATFORM_HINT');
});

test('packages are made before they are started', () => {
  const [made, started] = ['desktop:package', 'start-packaged.ts'].map((each) =>
    STEPS.findIndex((step) => step.includes(each)),
  );
  expect(made).toBeGreaterThan(0);
  expect(started).toBeGreaterThan(Number(made));
});
