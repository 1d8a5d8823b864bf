import { AsyncResource } from 'node:async_hooks';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely } from 'kysely';
import { StartError } from '../start-error.ts';
import { ChangeListeners, CHANGES_CHANNEL, readPayload } from './changes.ts';
import type { Database, Tables } from './database.ts';
import { lockDirectory } from './directory-lock.ts';
import { embeddedDialect } from './embedded-dialect.ts';
import { ReentrantMutex } from './mutex.ts';
import { databaseOn } from './open-database.ts';
import { lockedQueueDb } from './queue-db.ts';

const INT8 = 20;
const DATE = 1082;

/**
 * Opens the embedded database in a directory, or in memory (tests) from an optional image.
 *
 * It is one connection in one process and never calls fsync: it survives `kill -9`, not a power
 * cut. Throws StartError when another process has the directory or its files are damaged.
 */
export async function openEmbedded(
  source: { directory: string } | { image: Blob | undefined },
): Promise<Database> {
  const isOnDisk = 'directory' in source;
  const unlock = isOnDisk ? lockDirectory(source.directory) : () => undefined;
  const pglite = await startPglite(source).catch((error: unknown) => {
    unlock();
    throw error;
  });
  const mutex = new ReentrantMutex();
  const db = new Kysely<Tables>({ dialect: embeddedDialect(pglite, mutex) });
  const changes = new ChangeListeners();
  // Statements outside our transactions notify by themselves. What that sets off is no part of the
  // statement that holds the lock.
  const heard = AsyncResource.bind((payload: string) => changes.tell(readPayload(payload)));
  await pglite.listen(CHANGES_CHANNEL, heard);
  return databaseOn({
    engine: 'pglite',
    db,
    exclusively: (work) => mutex.run(work),
    changes,
    queueStore: { db: lockedQueueDb(pglite, mutex), backend: 'pglite' },
    close: async () => {
      await mutex.run(() => db.destroy());
      unlock();
    },
  });
}

async function startPglite(
  source: { directory: string } | { image: Blob | undefined },
): Promise<PGlite> {
  const parsers = { [INT8]: Number, [DATE]: (text: string) => text };
  if (!('directory' in source)) {
    return PGlite.create({ parsers, ...(source.image ? { loadDataDir: source.image } : {}) });
  }
  try {
    return await PGlite.create(join(source.directory, 'postgres'), { parsers });
  } catch (error) {
    throw new StartError(
      `The database in ${source.directory} can’t be opened. It may be damaged. Restore a backup, or set DATA_DIR to an empty directory.`,
      { cause: error },
    );
  }
}

/** A migrated database as an image that `openEmbedded` starts from in a fraction of the time. */
export async function embeddedImage(prepare: (database: Database) => Promise<void>): Promise<Blob> {
  const pglite = await PGlite.create();
  const mutex = new ReentrantMutex();
  const db = new Kysely<Tables>({ dialect: embeddedDialect(pglite, mutex) });
  await prepare(
    databaseOn({
      engine: 'pglite',
      db,
      exclusively: (work) => mutex.run(work),
      queueStore: { db: lockedQueueDb(pglite, mutex), backend: 'pglite' },
      close: () => db.destroy(),
    }),
  );
  const image = await pglite.dumpDataDir('none');
  await db.destroy();
  return image;
}
