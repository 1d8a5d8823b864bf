import { createHash } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const CACHE = join(ROOT, 'node_modules/.cache/ovation');
/** The exact packages. */
const LOCK = 'package-lock.json';

/**
 * What is costly to make and comes out alike from the same sources: a file or a directory, made once and
 * kept until one of them changes. It appears whole: of runs at the same time the first one's stays.
 * @param sources globs of what it is made from, tests aside
 * @param make makes it at a path, where nothing is yet
 */
export async function keptUntilChanged(
  name: string,
  sources: readonly string[],
  make: (path: string) => Promise<void>,
): Promise<string> {
  const path = join(CACHE, `${name}-${await hashOf(sources)}`);
  if (existsSync(path)) return path;
  await mkdir(CACHE, { recursive: true });
  const own = await mkdtemp(join(CACHE, 'making-'));
  try {
    await make(join(own, name));
    await rename(join(own, name), path).catch((error: unknown) => {
      if (!existsSync(path)) throw error;
    });
  } finally {
    await rm(own, { recursive: true, force: true });
  }
  return path;
}

async function hashOf(sources: readonly string[]): Promise<string> {
  const files = globSync([...sources], { cwd: ROOT })
    .filter((file) => !file.endsWith('.test.ts'))
    .sort();
  const hash = createHash('sha256');
  for (const file of [...files, LOCK]) hash.update(file).update(await readFile(join(ROOT, file)));
  return hash.digest('hex').slice(0, 32);
}
