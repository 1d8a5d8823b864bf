import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { keptUntilChanged } from '#test/databases/kept-until-changed.ts';

const ROOT = join(import.meta.dirname, '../..');
const SHARED = ['shared/**/*.ts', 'desktop/ipc.ts', 'electron.vite.config.ts'];
const MAIN = [...SHARED, 'desktop/{main,preload}/*.ts', 'desktop/packaging/check.ts'];
const RENDERER = [
  ...SHARED,
  'web/chunk-groups.ts',
  'web/{src,public}/**/*.*',
  'desktop/renderer/*.*',
];

const run = promisify(execFile);
const runIn = (env: Record<string, string>, script: string, ...args: string[]) =>
  run(process.execPath, [join(ROOT, script), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
  });
const build = (env: Record<string, string>, ...args: string[]) =>
  runIn(env, 'node_modules/electron-vite/bin/electron-vite.js', 'build', ...args);

const buildPart = (part: 'main' | 'renderer', path: string) =>
  build({ BUILT_PART: part, BUILT_OUT: path }, '-c', 'desktop/testing/built.vite.config.ts');

/** Builds main, preload and renderer as for a package, where a package is made from. */
export async function buildDesktop(): Promise<void> {
  await build({});
}

/** A folder with `main`, `preload` and a renderer whose page is empty. */
export function builtMain(): Promise<string> {
  return keptUntilChanged('desktop-main', MAIN, async (path) => {
    await buildPart('main', path);
    await mkdir(join(path, 'renderer'));
    await writeFile(join(path, 'renderer/index.html'), '<div id="root"></div>');
  });
}

/** The folder of the renderer. */
export function builtRenderer(): Promise<string> {
  return keptUntilChanged('desktop-renderer', RENDERER, async (path) => {
    await buildPart('renderer', path);
  });
}

/** What the check says of what was built; fails when it found a problem. */
export async function checkBuilt(): Promise<string> {
  const [main, renderer] = await Promise.all([builtMain(), builtRenderer()]);
  return (await runIn({}, 'desktop/packaging/check.ts', main, renderer)).stdout;
}
