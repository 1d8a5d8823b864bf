import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely } from 'kysely';
import type { AfterCommit, Database, QueueStore, Tables, Tx } from './database.ts';
import { isDeadlock } from './database-error.ts';

const MOST_TRIES = 3;

/** What differs between the two engines. */
interface Engine {
  engine: Database['engine'];
  db: Kysely<Tables>;
  /** Keeps everybody else out while a transaction is open, where the engine needs that. */
  exclusively: <T>(work: () => Promise<T>) => Promise<T>;
  queueStore: QueueStore;
  close: () => Promise<void>;
}

/** Puts the transaction rules of `Database` on top of an engine. */
export function databaseOn({ engine, db, exclusively, queueStore, close }: Engine): Database {
  const open = new AsyncLocalStorage<{ isOpen: boolean }>();

  async function once<T>(work: (tx: Tx, afterCommit: AfterCommit) => Promise<T>): Promise<T> {
    const effects: Array<() => void> = [];
    const scope = { isOpen: true };
    const result = await exclusively(() =>
      open
        .run(scope, () =>
          db.transaction().execute((tx) => work(tx, (effect) => effects.push(effect))),
        )
        .finally(() => {
          scope.isOpen = false;
        }),
    );
    for (const effect of effects) effect();
    return result;
  }

  async function transaction<T>(
    work: (tx: Tx, afterCommit: AfterCommit) => Promise<T>,
  ): Promise<T> {
    if (open.getStore()?.isOpen) {
      throw new Error('A transaction is open already: pass its tx instead of starting another.');
    }
    for (let tries = 1; ; tries += 1) {
      try {
        return await once(work);
      } catch (error) {
        if (tries >= MOST_TRIES || !isDeadlock(error)) throw error;
      }
    }
  }

  return { engine, db, transaction, queueStore, close };
}
