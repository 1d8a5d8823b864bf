import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { embeddedImage } from '#server/db/embedded.ts';
import { migrate } from '#server/db/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where test databases come from: a migrated image, or a server with a migrated template. */
    database: { engine: 'pglite'; imagePath: string } | { engine: 'postgres'; baseUrl: string };
  }
}

const ROOT = join(import.meta.dirname, '../..');
const CACHE = join(ROOT, 'node_modules/.cache/ovation');

/** Each test file starts from the image of one migrated embedded database. */
export default async function setup(project: TestProject): Promise<void> {
  project.provide('database', { engine: 'pglite', imagePath: await migratedImage() });
}

/**
 * Migrating costs 4 s of computing, so the image is kept for as long as what it is made from stays the
 * same. It appears whole: runs at the same time each make their own, and the last one stays.
 */
async function migratedImage(): Promise<string> {
  const imagePath = join(CACHE, `migrated-${await sourcesHash()}.tar`);
  if (existsSync(imagePath)) return imagePath;
  await mkdir(CACHE, { recursive: true });
  const own = await mkdtemp(join(CACHE, 'making-'));
  const image = await embeddedImage(migrate);
  await writeFile(join(own, 'image.tar'), Buffer.from(await image.arrayBuffer()));
  await rename(join(own, 'image.tar'), imagePath);
  await rm(own, { recursive: true });
  return imagePath;
}

/** Of the migrations, the code that runs them, and the exact packages. */
async function sourcesHash(): Promise<string> {
  const database = join(ROOT, 'server/src/db');
  const sources = (await readdir(database, { recursive: true }))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort()
    .map((name) => join(database, name));
  const hash = createHash('sha256');
  for (const path of [...sources, join(ROOT, 'package-lock.json')]) {
    hash.update(path.slice(ROOT.length)).update(await readFile(path));
  }
  return hash.digest('hex').slice(0, 32);
}
