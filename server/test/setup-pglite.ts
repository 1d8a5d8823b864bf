import { writeFile } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { embeddedImage } from '#server/db/embedded.ts';
import { migrate } from '#server/db/migrate.ts';
import { keptUntilChanged } from './kept-until-changed.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where test databases come from: a migrated image, or a server with a migrated template. */
    database: { engine: 'pglite'; imagePath: string } | { engine: 'postgres'; baseUrl: string };
  }
}

/** Each test file starts from the image of one migrated embedded database; migrating costs 4 s of computing. */
export default async function setup(project: TestProject): Promise<void> {
  const imagePath = await keptUntilChanged('migrated', ['server/src/db/**/*.ts'], async (path) => {
    const image = await embeddedImage(migrate);
    await writeFile(path, Buffer.from(await image.arrayBuffer()));
  });
  project.provide('database', { engine: 'pglite', imagePath });
}
