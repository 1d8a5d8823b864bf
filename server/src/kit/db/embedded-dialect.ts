import type { PGlite } from '@electric-sql/pglite';
import {
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  PGliteAdapter,
  PGliteDialect,
} from 'kysely';
import type { ReentrantMutex } from './mutex.ts';

/**
 * kysely's dialect for the embedded database with our re-entrant lock in place of its own, which a
 * query inside a transaction's callback would wait for without end.
 */
export function embeddedDialect(pglite: PGlite, mutex: ReentrantMutex): Dialect {
  const dialect = new PGliteDialect({ pglite });
  return {
    createAdapter: (): DialectAdapter => new UnlockedAdapter(),
    createDriver: (): Driver => lockedDriver(dialect.createDriver(), mutex),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

/** Tells kysely not to lock: `lockedDriver` does. */
class UnlockedAdapter extends PGliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

function lockedDriver(driver: Driver, mutex: ReentrantMutex): Driver {
  const releases: Array<() => void> = [];
  return {
    init: (options) => driver.init(options),
    async acquireConnection(options): Promise<DatabaseConnection> {
      releases.push(mutex.isHeldHere() ? () => undefined : await mutex.acquire());
      return driver.acquireConnection(options);
    },
    async releaseConnection(connection, options): Promise<void> {
      await driver.releaseConnection(connection, options);
      // Inside a held lock releases nest, outside only one connection is out: last in, first out.
      releases.pop()?.();
    },
    beginTransaction: (connection, settings) => driver.beginTransaction(connection, settings),
    commitTransaction: (connection) => driver.commitTransaction(connection),
    rollbackTransaction: (connection) => driver.rollbackTransaction(connection),
    destroy: () => driver.destroy(),
  };
}
