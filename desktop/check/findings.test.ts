import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { FUSES } from '../package-config.ts';
import {
  type Bundled,
  bundledFrom,
  hashOf,
  noteBundledPackages,
  readBundle,
} from './bundled-packages.ts';
import { type Built, findProblems } from './findings.ts';

const ROOT = join(import.meta.dirname, '../..');
const MAIN = 'import{app}from"electron";app.whenReady();';
const PRELOAD = 'let electron = require("electron");';

/** Notes of the bundler on a code that has nothing but what is expected. */
const notedOn = (code: string, more: Partial<Bundled> = {}): Bundled => ({
  packages: [],
  folders: ['desktop'],
  codeHash: hashOf(code),
  ...more,
});

/** What was built, with something planted. */
function planted(change: Partial<Built>, notes: Partial<Bundled> = {}): Built {
  const { main = MAIN, preload = PRELOAD } = change;
  const bundled = { main: notedOn(main, notes), preload: notedOn(preload) };
  const indexHtml = '<script src="/a.js">';
  return { fuses: FUSES, main, preload, bundled, indexHtml, heldUp: [], ...change };
}

test('what is expected passes', () => {
  const notes = { packages: ['electron-updater', 'valibot'], folders: ['desktop', 'shared'] };
  expect(findProblems(planted({ packagedFuses: FUSES }, notes))).toEqual([]);
});

test.each<[string, Partial<Built>, Partial<Bundled>?]>([
  ['fuse runAsNode of the package', { packagedFuses: { ...FUSES, runAsNode: true } }],
  ['package "kysely"', {}, { packages: ['kysely', 'valibot'] }],
  ['code of "server/"', {}, { folders: ['desktop', 'server'] }],
  ['on other code', {}, { codeHash: hashOf('other();') }],
  ['has 260042 bytes; 250000', { main: MAIN + ' '.repeat(260_000) }],
  ['appendSwitch', { main: `${MAIN}app.commandLine.appendSwitch("no-sandbox")` }],
  ['NODE_TLS_REJECT', { main: `${MAIN}process.env["NODE_TLS_REJECT_UNAUTHORIZED"]="0"` }],
  ['rejectUnauthorized', { main: `${MAIN}new Agent({connect:{rejectUnauthorized:!1}})` }],
  ['loads "fs"', { preload: 'require("node:fs")' }],
  ['https://cdn.example', { indexHtml: '<script src="https://cdn.example/x.js"></script>' }],
  ['waits for readFileSync', { heldUp: ['readFileSync'] }],
])('a planted %s is found', (name, change, notes) => {
  expect(findProblems(planted(change, notes))).toEqual([expect.stringContaining(name)]);
});

test('the preload script may have no package at all', () => {
  const built = planted({});
  built.bundled.preload.packages = ['valibot'];
  expect(findProblems(built)).toHaveLength(1);
});

test('a module is known by its package, within another one too; what the bundler adds counts for nothing', () => {
  const ids = [
    '/r/desktop/main/main.ts',
    '/r/node_modules/@scope/a/index.js',
    '/r/node_modules/b/node_modules/c/x.js',
    '\0rolldown/runtime.js',
  ];
  expect(bundledFrom(ids, '/r')).toEqual({ packages: ['@scope/a', 'c'], folders: ['desktop'] });
});

test('a library that was imported into a bundle stands in the notes of the bundler', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ovation-bundled-'));
  try {
    const entry = join(folder, 'main.ts');
    const library = JSON.stringify(fileURLToPath(import.meta.resolve('kysely')));
    await writeFile(entry, `import { Kysely } from ${library};\nconsole.log(Kysely);\n`);
    await build({
      root: ROOT,
      configFile: false,
      logLevel: 'silent',
      plugins: [noteBundledPackages(ROOT)],
      build: { outDir: join(folder, 'built'), lib: { entry, formats: ['es'], fileName: 'main' } },
    });
    const notes = JSON.parse(await readFile(join(folder, 'built.bundled.json'), 'utf8')) as Bundled;
    const main = await readBundle(join(folder, 'built'));
    expect(findProblems(planted({ main }, { ...notes, folders: [] })).join()).toContain(
      'The main bundle has the package "kysely"',
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
