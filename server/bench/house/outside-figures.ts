import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { broughtBy, fetchedLater, type Manifest, ROUTES } from '../../../web/e2e/route-sizes.ts';
import type { Measure } from './measures.ts';
import type { Tree } from './read-tree.ts';

/**
 * Files that a cold dashboard asks for, with all that it fetches later, as the manifest of the web build
 * tells; color-scheme.js isn't in it. Undefined where nothing was built by these names.
 */
export function coldFiles({ root }: Tree, kind: 'js' | 'css'): Measure | undefined {
  const path = join(root, 'web/dist/.vite/manifest.json');
  if (!existsSync(path)) return undefined;
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  const built = new Set(Object.values(manifest).map(({ name }) => name));
  const first = ROUTES['/dashboard'] ?? [];
  const names = [...first, ...fetchedLater(first)];
  if (names.some((name) => !built.has(name))) return undefined;
  const chunks = broughtBy(manifest, names);
  const files =
    kind === 'js'
      ? ['color-scheme.js', ...chunks.map(({ file }) => file)]
      : chunks.flatMap(({ css = [] }) => css);
  const counted = [...new Set(files)].toSorted();
  return { now: counted.length, counted };
}

/** Files that the built service worker keeps for the offline shell. */
export function shellEntries({ root }: Tree): Measure | undefined {
  const path = join(root, 'web/dist/service-worker.js');
  if (!existsSync(path)) return undefined;
  const entries = /[[,]\{url:[`"']([^`"']+)[`"'],revision:/g;
  const counted = Array.from(readFileSync(path, 'utf8').matchAll(entries), ([, url = '']) => url);
  return { now: counted.length, counted };
}

/** Lines of code and prose ever deleted, of a hundred written. Undefined outside a clone with its history. */
export async function deletedShare({ root }: Tree): Promise<Measure | undefined> {
  const only = ['--', '*.ts', '*.tsx', '*.css', '*.md'];
  const words = ['log', '--no-merges', '-M', '--numstat', '--format=', ...only];
  const run = promisify(execFile)('git', words, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  const stdout = await run.then(
    (done) => done.stdout,
    () => '',
  );
  let [written, deleted] = [0, 0];
  for (const [, plus, minus] of stdout.matchAll(/^(\d+)\t(\d+)\t/gm)) {
    written += Number(plus);
    deleted += Number(minus);
  }
  if (written === 0) return undefined;
  const counted = [`${written} written`, `${deleted} deleted`];
  return { now: Math.round((100 * deleted) / written), counted };
}
