import { writeFile } from 'node:fs/promises';
import { sql } from 'kysely';
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

/**
 * What an image that is opened 120 times a run goes without: databases that nobody opens, most of the
 * buffers, which are cleared at each start, and a log to be read again.
 */
const LEAN = [
  `update pg_database set datistemplate = false`,
  `drop database template0`,
  `drop database template1`,
  `alter system set shared_buffers = '8MB'`,
  `checkpoint`,
];

/** Each test file starts from the image of one migrated embedded database; migrating costs 4 s of computing. */
export default async function setup(project: TestProject): Promise<void> {
  const sources = ['server/src/db/**/*.ts', 'server/test/setup-pglite.ts'];
  const imagePath = await keptUntilChanged('migrated', sources, async (path) => {
    const image = await embeddedImage(async (database) => {
      await migrate(database);
      for (const statement of LEAN) await sql.raw(statement).execute(database.db);
    });
    await writeFile(path, Buffer.from(await image.arrayBuffer()));
  });
  project.provide('database', { engine: 'pglite', imagePath });
}
