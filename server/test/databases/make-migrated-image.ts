/** Writes a tar file of one migrated embedded database to a path: `node <this> <path>`. */
import { writeFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { embeddedImage } from '#server/kit/db/embedded.ts';
import { migrate } from '#server/kit/db/migrate.ts';

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

const image = await embeddedImage(async (database) => {
  await migrate(database);
  for (const statement of LEAN) await sql.raw(statement).execute(database.db);
});
await writeFile(process.argv[2] ?? '', Buffer.from(await image.arrayBuffer()));
