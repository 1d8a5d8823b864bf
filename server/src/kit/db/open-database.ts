import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely } from 'kysely';
import type { Database, QueueStore, Tables, Tx } from './database.ts';
import { ChangeListeners, type Changes, flushTouched, type TouchedScope } from './changes.ts';
import { isDeadlock } from './database-error.ts';

const TRIES_LIMIT = 3;

/** What differs between the two engines. */
interface Engine {
  engine: Database['engine'];
  db: Kysely<Tables>;
  /** Keeps everybody else out while a transaction is open, where the engine needs that. */
  exclusively: <T>(work: () => Promise<T>) => Promise<T>;
  queueStore: QueueStore;
  /** Who is told what transactions touched. */
  changes?: Changes & { tell(touched: readonly TouchedScope[]): void };
  close: () => Promise<void>;
}

/** Puts the transaction rules of `Database` on top of an engine. */
export function databaseOn({
  engine,
  db,
  exclusively,
  queueStore,
  changes = new ChangeListeners(),
  close,
}: Engine): Database {
  const open = new AsyncLocalStorage<{ isOpen: boolean }>();

  async function once<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const scope = { isOpen: true };
    const { result, touched } = await exclusively(() =>
      open
        .run(scope, () =>
          db.transaction().execute(async (tx) => ({
            result: await work(tx),
            touched: await flushTouched(tx),
          })),
        )
        .finally(() => {
          scope.isOpen = false;
        }),
    );
    if (touched.length > 0) changes.tell(touched);
    return result;
  }

  async function transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (open.getStore()?.isOpen) {
      throw new Error('A transaction is open already: pass its tx instead of starting another.');
    }
    for (let tries = 1; ; tries += 1) {
      try {
        return await once(work);
      } catch (error) {
        if (tries >= TRIES_LIMIT || !isDeadlock(error)) throw error;
      }
    }
  }

  return { engine, db, transaction, queueStore, changes, close };
}
