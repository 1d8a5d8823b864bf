import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { bundleProblems } from './bundle-problems.ts';
import { type Bundled, bundledFrom, hashOf, noteBundledPackages } from './bundled-packages.ts';

const ROOT = join(import.meta.dirname, '../..');
const CODE = 'start();';
const FINE: Bundled = {
  packages: ['electron-updater', 'valibot'],
  folders: ['desktop', 'shared'],
  codeHash: hashOf(CODE),
};

test('what is expected passes', () => {
  expect(bundleProblems('main', CODE, FINE)).toEqual([]);
});

test.each<[string, Partial<Bundled>, string]>([
  ['a package', { packages: ['kysely', 'valibot'] }, 'the package "kysely"'],
  ['the server', { folders: ['desktop', 'server'] }, 'code of "server/"'],
  ['notes on other code', { codeHash: hashOf('other();') }, 'written for other code'],
])('%s that is not expected in main is a problem', (_name, change, problem) => {
  const problems = bundleProblems('main', CODE, { ...FINE, ...change });
  expect(problems).toEqual([expect.stringContaining(problem)]);
});

test('the preload script may have no package at all, and no bundle may grow unseen', () => {
  expect(bundleProblems('preload', CODE, { ...FINE, folders: ['desktop'] })).toHaveLength(2);
  const large = `${CODE}${' '.repeat(700_000)}`;
  expect(bundleProblems('main', large, { ...FINE, codeHash: hashOf(large) })).toEqual([
    'The main bundle has 700008 bytes; 700000 are expected at most.',
  ]);
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
    const bundled = JSON.parse(
      await readFile(join(folder, 'built.bundled.json'), 'utf8'),
    ) as Bundled;
    const code = await readFile(join(folder, 'built/main.js'), 'utf8');
    expect(bundleProblems('main', code, { ...bundled, folders: [] })).toEqual([
      'The main bundle has the package "kysely", which is not expected there.',
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
