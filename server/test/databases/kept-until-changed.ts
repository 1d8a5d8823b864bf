import { createHash } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../run/is-alive.ts';

const ROOT = join(import.meta.dirname, '../../..');
const CACHE = join(ROOT, 'node_modules/.cache/ovation');
/** The exact packages. */
const PACKAGES = 'package-lock.json';
const LOOK_MS = 50;
/** Longer than a run, which may still use what it began with after a source has changed. */
const SPARE_AFTER_MS = 3_600_000;

/**
 * What is costly to make and comes out alike from the same sources: a file or a directory, made once and
 * kept until one of them changes. It appears whole; of runs at the same time one makes it, and the others wait.
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
  const lock = `${path}.lock`;
  while (!(await takeLock(lock))) {
    await sleep(LOOK_MS);
    if (existsSync(path)) return path;
  }
  try {
    if (!existsSync(path)) {
      await makeWhole(path, make);
      await removeSpare(name, path);
    }
  } finally {
    await rm(lock, { force: true });
  }
  return path;
}

async function makeWhole(path: string, make: (path: string) => Promise<void>): Promise<void> {
  const own = await mkdtemp(join(CACHE, 'making-'));
  try {
    await make(join(own, 'made'));
    await rename(join(own, 'made'), path).catch((error: unknown) => {
      if (!existsSync(path)) throw error;
    });
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** Removes what was made under the name from other sources, but for what a run may still use. */
async function removeSpare(name: string, kept: string): Promise<void> {
  for (const file of await readdir(CACHE)) {
    const path = join(CACHE, file);
    const isOther =
      file.startsWith(`${name}-`) && /^[\da-f]{32}$/.test(file.slice(name.length + 1));
    if (!isOther || path === kept) continue;
    const made = await stat(path).catch(() => undefined);
    if (made && Date.now() - made.mtimeMs > SPARE_AFTER_MS) {
      await rm(path, { recursive: true, force: true });
    }
  }
}

/** Whether this process may make it; a lock of a process that has ended is nobody's. */
async function takeLock(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    const owner = await readFile(lock, 'utf8').catch(() => '');
    if (owner !== '' && !isAlive(Number(owner))) await breakLock(lock, owner);
    return false;
  }
}

/**
 * Removes the lock of a process that has ended, if it still is that one's: of all who found it one may, so that
 * none removes what another has taken since.
 */
export async function breakLock(lock: string, owner: string): Promise<void> {
  const right = `${lock}.${owner}`;
  if (!(await takeLock(right))) return;
  const now = await readFile(lock, 'utf8').catch(() => '');
  if (now === owner) await rm(lock, { force: true });
  await rm(right, { force: true });
}

async function hashOf(sources: readonly string[]): Promise<string> {
  const files = globSync([...sources], { cwd: ROOT })
    .filter((file) => !file.endsWith('.test.ts'))
    .sort();
  const hash = createHash('sha256');
  for (const file of [...files, PACKAGES])
    hash.update(file).update(await readFile(join(ROOT, file)));
  return hash.digest('hex').slice(0, 32);
}
