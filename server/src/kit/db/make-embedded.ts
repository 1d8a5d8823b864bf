import { PGlite } from '@electric-sql/pglite';

/** `<directory> <start parameter>...`: makes the files of a new embedded database, and ends with its parent at the latest. */
process.once('disconnect', () => process.exit(1));
const [, , directory = '', ...startParams] = process.argv;
const pglite = await PGlite.create({ dataDir: directory, startParams });
await pglite.close();
process.disconnect?.();
process.exit(0);
