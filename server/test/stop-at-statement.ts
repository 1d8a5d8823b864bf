import { type KyselyPlugin, sql } from 'kysely';
import type { Database } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';

/** Stops its actor once, after so many database statements, until it is let go. */
class StepGate {
  readonly #reached = Promise.withResolvers<void>();
  readonly #open = Promise.withResolvers<void>();
  readonly #stopAfter: number;
  #steps = 0;

  constructor(stopAfter: number) {
    this.#stopAfter = stopAfter;
  }

  get reached(): Promise<void> {
    return this.#reached.promise;
  }

  get steps(): number {
    return this.#steps;
  }

  async step(): Promise<void> {
    this.#steps += 1;
    if (this.#steps !== this.#stopAfter) return;
    this.#reached.resolve();
    await this.#open.promise;
  }

  release(): void {
    this.#open.resolve();
  }
}

/** The same dependencies, with every statement of theirs passing the gate. */
function gated<D extends Deps>(deps: D, gate: StepGate): D {
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await gate.step();
      return result;
    },
  };
  const { database } = deps;
  const throughGate: Database = {
    ...database,
    db: database.db.withPlugin(plugin),
    transaction: (work) =>
      database.transaction((tx, afterCommit) => work(tx.withPlugin(plugin), afterCommit)),
  };
  return { ...deps, database: throughGate };
}

/** Resolves once a statement of this database waits for a lock, or `isOver`. */
async function isBlocked(deps: Deps, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting
      from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(deps.database.db);
    if ((rows[0]?.waiting ?? 0) > 0) return;
  }
}

/**
 * Runs `first` up to its statement `stopAfter`, then `second` as far as it gets (its end, or a lock that
 * `first` holds), then both to their ends. Needs Postgres: the embedded database has one connection.
 * @returns false once `first` has fewer statements than that: every point has been tried
 */
export async function runWithStop<D extends Deps>(
  deps: D,
  stopAfter: number,
  first: (deps: D) => Promise<void>,
  second: (deps: D) => Promise<void>,
): Promise<boolean> {
  const gate = new StepGate(stopAfter);
  const running = first(gated(deps, gate));
  await Promise.race([gate.reached, running]);
  let isSecondOver = false;
  const other = second(deps).finally(() => {
    isSecondOver = true;
  });
  await Promise.race([other, isBlocked(deps, () => isSecondOver)]);
  gate.release();
  await Promise.all([running, other]);
  return gate.steps >= stopAfter;
}
