import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { embeddedImage } from '#server/kit/db/embedded.ts';
import { migrate } from '#server/kit/db/migrate.ts';
import { keptUntilChanged } from './kept-until-changed.ts';

const SOURCES = ['server/src/kit/db/**/*.{ts,sql}', 'server/test/databases/migrated-image.ts'];

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

/** The path of a tar file of one migrated embedded database; migrating costs 4 s of computing. */
export function migratedImage(): Promise<string> {
  return keptUntilChanged('migrated', SOURCES, async (path) => {
    const image = await embeddedImage(async (database) => {
      await migrate(database);
      for (const statement of LEAN) await sql.raw(statement).execute(database.db);
    });
    await writeFile(path, Buffer.from(await image.arrayBuffer()));
  });
}

/** Gives an empty data directory the database of an earlier start: most of a first start is making it. */
export async function plantDatabase(dataDir: string): Promise<void> {
  const directory = join(dataDir, 'postgres');
  await mkdir(directory, { recursive: true });
  await promisify(execFile)('tar', ['-xf', await migratedImage(), '-C', directory]);
}
