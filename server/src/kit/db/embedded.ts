import { AsyncResource } from 'node:async_hooks';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { PGlite } from '@electric-sql/pglite';
import { Kysely } from 'kysely';
import { lockFile } from '../file-lock.ts';
import { StartError } from '../start-error.ts';
import { ChangeListeners, CHANGES_CHANNEL, readPayload } from './changes.ts';
import type { Database, Tables } from './database.ts';
import { embeddedDialect } from './embedded-dialect.ts';
import { ReentrantMutex } from './mutex.ts';
import { databaseOn } from './open-database.ts';
import { type Db as QueueDb, fromPglite } from 'pg-boss';

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

const MAKER = join(import.meta.dirname, 'make-embedded.ts');
/** Postgres takes 128 MB of page cache unless told; that is more than such a database ever holds. */
const START_PARAMS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'];

async function startPglite(
  source: { directory: string } | { image: Blob | undefined },
): Promise<PGlite> {
  const parsers = { [INT8]: Number, [DATE]: (text: string) => text };
  const options = { parsers, startParams: START_PARAMS };
  if (!('directory' in source)) {
    return PGlite.create({ ...options, ...(source.image ? { loadDataDir: source.image } : {}) });
  }
  const directory = join(source.directory, 'postgres');
  try {
    if (!existsSync(directory)) await makeDirectory(directory);
    return await PGlite.create(directory, options);
  } catch (error) {
    throw new StartError(
      `The database in ${source.directory} can’t be opened. It may be damaged. Restore a backup, or set DATA_DIR to an empty directory.`,
      { cause: error },
    );
  }
}

/**
 * Makes the files of a new database in a process that ends: it takes 500 MB at its peak, a part of which this
 * one would keep. They get their name when they are whole.
 */
async function makeDirectory(directory: string): Promise<void> {
  const making = `${directory}.new`;
  await rm(making, { recursive: true, force: true });
  const child = fork(MAKER, [making, ...START_PARAMS], {
    // It works for a second: optimizing its code would take longer, and 400 MB more.
    execArgv: ['--liftoff-only'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const [complaint, [code]] = await Promise.all([
    child.stderr ? text(child.stderr) : '',
    once(child, 'exit'),
  ]);
  if (code !== 0) throw new Error(complaint);
  await rename(making, directory);
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

/**
 * Takes a directory for this process alone and returns how to give it back: two processes on one embedded database
 * lose writes silently. Throws StartError when taken.
 */
function lockDirectory(directory: string): () => void {
  const path = join(directory, 'lock');
  let unlock: (() => void) | undefined;
  try {
    unlock = lockFile(path);
  } catch (error) {
    throw new StartError(
      `The data directory ${directory} can’t be locked. Check that it is writable and that ${path} is not damaged, or set DATA_DIR to another directory.`,
      { cause: error },
    );
  }
  if (unlock) return unlock;
  throw new StartError(
    `The data directory ${directory} is in use by another process. Stop that one, or set DATA_DIR to another directory.`,
  );
}

/**
 * The embedded database as the job queue wants it, behind the lock that kysely goes through: the queue's
 * statements open and end transactions of their own, which must never happen inside somebody else's.
 */
function lockedQueueDb(pglite: PGlite, mutex: ReentrantMutex): QueueDb {
  const outside = <T>(work: () => Promise<T>): Promise<T> => {
    if (mutex.isHeldHere()) {
      throw new Error('The queue is called inside a transaction: hand it the tx as its `db`.');
    }
    return mutex.run(work);
  };
  return fromPglite({
    query: <T>(text: string, values?: unknown[]) => outside(() => pglite.query<T>(text, values)),
    exec: (text) => outside(() => pglite.exec(text)),
    listen: async (channel, onNotification) => {
      // A notification arrives while the statement that sent it still holds the lock. What it sets off
      // isn't a part of that, so it runs as if called from here.
      const detached = AsyncResource.bind(onNotification);
      const unlisten = await outside(() => pglite.listen(channel, detached));
      return () => outside(() => unlisten());
    },
  });
}
