import { AsyncResource } from 'node:async_hooks';
import type { PGlite } from '@electric-sql/pglite';
import { type Db as QueueDb, fromPglite } from 'pg-boss';
import type { ReentrantMutex } from './mutex.ts';

/**
 * The embedded database as the job queue wants it, behind the lock that kysely goes through: the queue's
 * statements open and end transactions of their own, which must never happen inside somebody else's.
 */
export function lockedQueueDb(pglite: PGlite, mutex: ReentrantMutex): QueueDb {
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
