import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { allowedOnly, bundleProblems, sourcesOf } from './check.ts';

const ROOT = join(import.meta.dirname, '../..');
const MAIN = 'import{app}from"electron";app.whenReady();';
const PRELOAD = 'let electron = require("electron");';

test('what is expected passes', () => {
  const sources = { packages: ['electron-updater', 'valibot'], folders: ['desktop', 'shared'] };
  expect(bundleProblems('main', MAIN, sources)).toEqual([]);
  expect(bundleProblems('preload', PRELOAD, { packages: [], folders: ['desktop'] })).toEqual([]);
});

test.each<[string, string, Partial<ReturnType<typeof sourcesOf>>?]>([
  ['package "kysely"', MAIN, { packages: ['kysely', 'valibot'] }],
  ['code of "server/"', MAIN, { folders: ['desktop', 'server'] }],
  ['has 260042 bytes; 250000', MAIN + ' '.repeat(260_000)],
  ['appendSwitch', `${MAIN}app.commandLine.appendSwitch("no-sandbox")`],
  ['NODE_TLS_REJECT', `${MAIN}process.env["NODE_TLS_REJECT_UNAUTHORIZED"]="0"`],
  ['rejectUnauthorized', `${MAIN}new Agent({connect:{rejectUnauthorized:!1}})`],
])('a planted %s in main is found', (name, code, sources = {}) => {
  const known = { packages: [], folders: ['desktop'] };
  expect(bundleProblems('main', code, { ...known, ...sources })).toEqual([
    expect.stringContaining(name),
  ]);
});

test('the preload script may have no package at all, and load electron only', () => {
  const sources = { packages: ['valibot'], folders: ['desktop'] };
  expect(bundleProblems('preload', 'require("node:fs")', sources)).toEqual([
    'The preload bundle has the package "valibot", which is not expected there.',
    'The preload script loads "fs"; it may load electron only.',
  ]);
});

test('a module is known by its package, within another one too; what the bundler adds counts for nothing', () => {
  const ids = [
    '/r/desktop/main/main.ts',
    '/r/node_modules/@scope/a/index.js',
    '/r/node_modules/b/node_modules/c/x.js',
    '\0rolldown/runtime.js',
  ];
  expect(sourcesOf(ids, '/r')).toEqual({ packages: ['@scope/a', 'c'], folders: ['desktop'] });
});

test('a build of main with a library that was imported by mistake fails', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ovation-bundled-'));
  try {
    const entry = join(folder, 'main.ts');
    const library = JSON.stringify(fileURLToPath(import.meta.resolve('kysely')));
    await writeFile(entry, `import { Kysely } from ${library};\nconsole.log(Kysely);\n`);
    const built = build({
      root: ROOT,
      configFile: false,
      logLevel: 'silent',
      plugins: [allowedOnly('main', ROOT)],
      build: { outDir: join(folder, 'built'), lib: { entry, formats: ['es'], fileName: 'main' } },
    });
    await expect(built).rejects.toThrow('The main bundle has the package "kysely"');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
