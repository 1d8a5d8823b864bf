import type { KyselyPlugin } from 'kysely';
import type { Database } from '#server/db/database.ts';
import { databaseOn } from '#server/db/open-database.ts';

/** Long enough for a statement that isn't waiting for a lock. */
const BLOCKED_AFTER_MS = 40;

/** A database that stands still after its n-th statement until it is told to go on. */
export function stoppingDatabase(
  database: Database,
  afterStatements: number,
): { database: Database; stopped: Promise<void>; goOn: () => void } {
  const stopped = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  let statements = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      statements += 1;
      if (statements === afterStatements) {
        stopped.resolve();
        await opened.promise;
      }
      return result;
    },
  };
  const gated = databaseOn({
    engine: 'postgres',
    db: database.db.withPlugin(plugin),
    exclusively: (work) => work(),
    queueStore: database.queueStore,
    close: async () => undefined,
  });
  return { database: gated, stopped: stopped.promise, goOn: () => opened.resolve() };
}

/**
 * Runs the first up to its n-th statement, then the second until it ends or waits for a lock of the
 * first, then both to their end.
 * @returns whether the first has that many statements; if not, it simply ran before the second
 */
export async function runInterleaved(
  base: Database,
  afterStatements: number,
  first: (database: Database) => Promise<unknown>,
  second: (database: Database) => Promise<unknown>,
): Promise<boolean> {
  const { database, stopped, goOn } = stoppingDatabase(base, afterStatements);
  const running = first(database).catch(() => undefined);
  const hasStopped = await Promise.race([stopped.then(() => true), running.then(() => false)]);
  const other = second(base).catch(() => undefined);
  if (hasStopped) {
    const blocked = new Promise((resolve) => {
      setTimeout(resolve, BLOCKED_AFTER_MS);
    });
    await Promise.race([other, blocked]);
  }
  goOn();
  await Promise.all([running, other]);
  return hasStopped;
}
