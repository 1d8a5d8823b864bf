import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
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

/** Migrates one embedded database for the whole run; each test file starts from its image. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'ovation-image-'));
  const imagePath = join(directory, 'migrated.tar');
  const image = await embeddedImage(migrate);
  await writeFile(imagePath, Buffer.from(await image.arrayBuffer()));
  project.provide('database', { engine: 'pglite', imagePath });
  return () => rm(directory, { recursive: true, force: true });
}
