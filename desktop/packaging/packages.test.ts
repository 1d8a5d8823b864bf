import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isSigned, updateAddress } from '../main/updates.ts';
import { makeFakeElectron } from '../testing/fake-electron-dist.ts';
import {
  FUSES,
  fuseProblems,
  listPackages,
  pageProblems,
  readArchive,
  readFuses,
} from './check.ts';
import { LAUNCHER_SIZES, packageDesktop } from './package.ts';
import { makeUpdateKey, publicKeyOf, readUpdateKey } from './sign.ts';

const VERSION = '45.4.1';
const PROJECT = {
  'package.json': JSON.stringify({ name: 'ovation', version: '0.1.0', dependencies: { pg: '8' } }),
  'desktop/release-notes.md': '# 0.1.0\n\nFaster start.\n',
  'out/main/main.js': 'start();',
  'out/main/chunks/updater.js': 'update();',
  'out/preload/preload.cjs': '',
  'out/renderer/index.html': '<div id="root"></div>',
  'out/tried/left-over.js': '',
  'server/src/main/start.ts': '',
  'node_modules/pg/package.json': '{"name":"pg","version":"8.0.0"}',
  'node_modules/pg/index.js': '',
};

let folder: string;
let signed: string[];
const at = (...names: string[]): string => join(folder, ...names);
const packages = (...names: string[]): string => at('out/packages', ...names);
const text = (path: string): string => readFileSync(path, 'utf8');

// A binary that is none, and tools that pack: everything but what is in the binary is as it will be.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ovation-package-'));
  for (const [name, content] of Object.entries(PROJECT)) {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), content);
  }
  const { env } = await makeFakeElectron(at('false'), VERSION);
  makeUpdateKey(at('key.pem'));
  // electron-builder reads the places of its tools from the environment itself.
  Object.assign(process.env, env);
  signed = await packageDesktop({
    projectDir: folder,
    env: { ...env, UPDATE_URL: 'https://updates.example/o', UPDATE_KEY_FILE: at('key.pem') },
    platform: 'linux',
    more: { electronVersion: VERSION },
  });
  mkdirSync(at('deb'));
  execFileSync('dpkg-deb', ['-x', packages('ovation_0.1.0_amd64.deb'), at('deb')]);
  mkdirSync(at('image'));
  const image = readFileSync(packages('Ovation-0.1.0.AppImage'));
  writeFileSync(at('image.tar'), image.subarray(512));
  execFileSync('tar', ['-C', at('image'), '-xf', at('image.tar'), '--ignore-zeros']);
});
afterAll(() => {
  for (const name of ['ELECTRON_DIST', 'CUSTOM_FPM_PATH', 'APPIMAGE_TOOLS_PATH']) {
    delete process.env[name];
  }
  rmSync(folder, { recursive: true, force: true });
});

test('the archive has what was built and the icons, and nothing of the server or of npm', () => {
  const archive = readArchive(at('deb/opt/Ovation/resources/app.asar'));
  const names = [...archive.keys()].filter((name) => !name.startsWith('out/icons/'));
  expect(names.toSorted()).toEqual([
    'out/main/chunks/updater.js',
    'out/main/main.js',
    'out/preload/preload.cjs',
    'out/renderer/index.html',
    'package.json',
  ]);
  expect(archive.has('out/icons/trayNews@2x.png')).toBe(true);
  expect(JSON.parse(archive.get('package.json') ?? '')).toMatchObject({
    main: 'out/main/main.js',
    desktopName: 'ovation.desktop',
    updatePublicKey: publicKeyOf(readUpdateKey(at('key.pem'))),
  });
});

test('what was made is listed: each package, and what its archive has', () => {
  const lines = listPackages(packages());
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Ovation-0\.1\.0\.AppImage {2}\d+ kB$/),
      expect.stringMatching(/^ovation_0\.1\.0_arm64\.deb {2}\d+ kB$/),
      'linux-unpacked/resources/app.asar  out/icons 18 files, out/main 2 files, out/preload 1 file, out/renderer 1 file, package.json',
    ]),
  );
});

test('the fuses are burnt into the binary, and read from it, not from the files beside it', async () => {
  expect(await readFuses(packages())).toEqual(FUSES);
  expect(fuseProblems(FUSES)).toEqual([]);
  expect(fuseProblems({ ...FUSES, runAsNode: true })).toEqual([
    'The fuse runAsNode of the package is true.',
  ]);
});

test('an empty folder, installers alone or no folder hold no app whose fuses could be read', async () => {
  expect(await readFuses(at('empty'))).toBeUndefined();
  mkdirSync(at('empty'));
  writeFileSync(
    at('empty/Ovation-1.0.0.AppImage'),
    readFileSync(packages('linux-unpacked/ovation')),
  );
  expect(await readFuses(at('empty'))).toBeUndefined();
});

test('a page that loads anything from elsewhere is found', () => {
  expect(pageProblems('<script src="/a.js">')).toEqual([]);
  expect(pageProblems('<script src="https://cdn.example/x.js">')).toEqual([
    'index.html loads https://cdn.example/x.js; everything must come from the root of the bundle.',
  ]);
  expect(pageProblems('<link href="./a.css"><script src="//cdn.example/x.js">')).toEqual([
    'index.html loads ./a.css; everything must come from the root of the bundle.',
    'index.html loads //cdn.example/x.js; everything must come from the root of the bundle.',
  ]);
});

test('a deb has an icon in every size that launchers look for', async () => {
  const sizes = await readdir(at('deb/usr/share/icons/hicolor'));
  expect(sizes.toSorted()).toEqual(LAUNCHER_SIZES.map((size) => `${size}x${size}`).toSorted());
  for (const size of sizes) {
    const icon = readFileSync(at('deb/usr/share/icons/hicolor', size, 'apps/ovation.png'));
    expect(icon.readUInt32BE(16)).toBe(Number(size.split('x')[0]));
  }
});

test('launchers find the window by its entry, and links lead to it', () => {
  const entry = text(at('deb/usr/share/applications/ovation.desktop'));
  expect(entry.split('\n')).toEqual(
    expect.arrayContaining([
      'Name=Ovation',
      'Exec=/opt/Ovation/ovation %U',
      'Icon=ovation',
      'StartupWMClass=ovation',
      'MimeType=x-scheme-handler/ovation;',
    ]),
  );
});

test('an AppImage starts with the sandbox, by a runtime that needs no library of the system', () => {
  const entry = text(at('image/ovation.desktop'));
  expect(entry).toContain('Exec=AppRun %U');
  expect(entry).not.toContain('no-sandbox');
  expect(existsSync(at('image/usr/share/icons/hicolor/256x256/apps/ovation.png'))).toBe(true);
});

test('each kind of package knows where its updates come from, and the deb that it is one', () => {
  const deb = at('deb/opt/Ovation/resources');
  expect(updateAddress(text(join(deb, 'app-update.yml')))).toBe('https://updates.example/o');
  expect(text(join(deb, 'package-type'))).toBe('deb');
  const image = text(at('image/resources/app-update.yml'));
  expect(updateAddress(image)).toBe('https://updates.example/o');
  expect(existsSync(at('image/resources/package-type'))).toBe(false);
});

test('each kind of package is made for Intel and ARM, and says so to the system', async () => {
  const made = await readdir(packages());
  expect(made).toEqual(
    expect.arrayContaining([
      'Ovation-0.1.0.AppImage',
      'Ovation-0.1.0-arm64.AppImage',
      'ovation_0.1.0_amd64.deb',
      'ovation_0.1.0_arm64.deb',
    ]),
  );
  for (const machine of ['amd64', 'arm64']) {
    const deb = packages(`ovation_0.1.0_${machine}.deb`);
    const told = execFileSync('dpkg-deb', ['-f', deb, 'Architecture'], { encoding: 'utf8' });
    expect(told.trim()).toBe(machine);
  }
});

test('the channel’s file says what is new in the version', () => {
  for (const file of ['latest-linux.yml', 'latest-linux-arm64.yml']) {
    expect(text(packages(file))).toMatch(/^releaseNotes: Faster start\.$/m);
  }
});

test('the channel’s file names the digest of each package, and is signed with the key', () => {
  expect(signed.toSorted()).toEqual(['latest-linux-arm64.yml', 'latest-linux.yml']);
  const publicKey = publicKeyOf(readUpdateKey(at('key.pem')));
  for (const [file, ...names] of [
    ['latest-linux.yml', 'Ovation-0.1.0.AppImage', 'ovation_0.1.0_amd64.deb'],
    ['latest-linux-arm64.yml', 'Ovation-0.1.0-arm64.AppImage', 'ovation_0.1.0_arm64.deb'],
  ] as const) {
    const channel = text(packages(file));
    for (const name of names) {
      const digest = createHash('sha512')
        .update(readFileSync(packages(name)))
        .digest('base64');
      expect(channel).toContain(`url: ${name}\n    sha512: ${digest}`);
    }
    expect(isSigned(channel, text(packages(`${file}.sig`)), publicKey)).toBe(true);
  }
});
