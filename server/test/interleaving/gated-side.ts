import pg from 'pg';
import type { Database } from '#server/kit/db/database.ts';
import { openPostgres } from '#server/kit/db/postgres.ts';
import { type Access, AccessReader, type TableMap } from './statement-access.ts';

interface Waiting {
  text: string;
  reader: AccessReader;
  open: () => void;
  refuse: (error: Error) => void;
}

/** How a side stands once nothing more happens by itself. */
export type SideStatus =
  /** Its next statement waits at the gate. */
  | { kind: 'ready'; text: string; access: Access }
  /** A statement was sent and waits for a lock in the database. */
  | { kind: 'blocked' }
  | { kind: 'over' };

/** Between two checks whether a statement waits for a lock. */
const MOST_TICK_MS = 32;
const QUERY_CANCELED = '57014';
const DEADLOCK = '40P01';

/** Statements that the planted bug of a test changes on their way to the database. */
export type Rewrite = (text: string) => string;

interface Ring {
  url: string;
  tables: TableMap;
  /** A connection that takes no part. */
  observer: pg.Client;
  racers: Set<number>;
  rewrite?: Rewrite | undefined;
}

/**
 * One of two sides of a race: a pool of connections whose statements each wait at a gate until they are
 * let through, one at a time.
 */
export class GatedSide {
  readonly database: Database;
  readonly #observer: pg.Client;
  readonly #waiting: Waiting[] = [];
  /** Statements sent and not answered, by the process that runs them. */
  readonly #sent = new Set<number>();
  /** Processes of both sides: only for one of them does a side count as waiting. */
  readonly #racers: Set<number>;
  #isOver = true;
  #isAbandoned = false;
  #onChange: () => void = () => undefined;

  constructor({ url, tables, observer, racers, rewrite }: Ring) {
    this.#observer = observer;
    this.#racers = racers;
    // Who loses a deadlock is for the search to choose, so the database must not.
    this.database = openPostgres(`${url}?options=-c%20deadlock_timeout%3D1h`, {
      connections: 4,
      onError: () => undefined,
      Client: gatedClient((client, text, send) => this.#gate(client, text, send), tables, rewrite),
    });
  }

  /** Begins the side's work; it stops at its first statement. */
  start(work: (database: Database) => Promise<unknown>): Promise<void> {
    this.#isOver = false;
    return work(this.database)
      .then(() => undefined)
      .finally(() => {
        this.#isOver = true;
        this.#onChange();
      });
  }

  /** Lets the statement at the gate through. */
  step(): void {
    this.#waiting.shift()?.open();
  }

  /** Resolves once this side can't go on without being let, or without the other side. */
  async status(): Promise<SideStatus> {
    for (let checks = 0; ; checks += 1) {
      await settled();
      const [next] = this.#waiting;
      if (this.#isOver) return { kind: 'over' };
      if (this.#sent.size === 0 && next) {
        return { kind: 'ready', text: next.text, access: next.reader.peek(next.text) };
      }
      await Promise.race([this.#change(), tick(Math.min(MOST_TICK_MS, 4 * 2 ** checks))]);
      if (this.#sent.size > 0 && (await this.#isBlocked())) return { kind: 'blocked' };
    }
  }

  /** Fails the statement that waits for a lock, as the database does with one of a deadlock. */
  async loseDeadlock(): Promise<void> {
    await this.#cancelSent();
    while ((await this.status()).kind === 'blocked') continue;
  }

  /** Fails whatever this side is at, so that its work ends. */
  async abandon(): Promise<void> {
    this.#isAbandoned = true;
    for (const { refuse } of this.#waiting.splice(0)) refuse(new Error('The race is off.'));
    await this.#cancelSent();
  }

  async #cancelSent(): Promise<void> {
    await this.#observer.query('select pg_cancel_backend(pid) from unnest($1::int[]) as pid', [
      [...this.#sent],
    ]);
  }

  async #isBlocked(): Promise<boolean> {
    const { rows } = await this.#observer.query<{ blocked: boolean }>(
      'select bool_or(pg_blocking_pids(pid) && $2::int[]) as blocked from unnest($1::int[]) as pid',
      [[...this.#sent], [...this.#racers]],
    );
    return this.#sent.size > 0 && rows[0]?.blocked === true;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#onChange = resolve;
    });
  }

  async #gate<T>(client: GatedConnection, text: string, send: () => Promise<T>): Promise<T> {
    const { reader, processID: processId } = client;
    if (this.#isAbandoned) throw new Error('The race is off.');
    this.#racers.add(processId);
    await new Promise<void>((open, refuse) => {
      this.#waiting.push({ text, reader, open, refuse });
      this.#onChange();
    });
    reader.take(text);
    this.#sent.add(processId);
    try {
      return await send();
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === QUERY_CANCELED) error.code = DEADLOCK;
      throw error;
    } finally {
      this.#sent.delete(processId);
      this.#onChange();
    }
  }
}

interface GatedConnection {
  reader: AccessReader;
  processID: number;
}

type Gate = <T>(client: GatedConnection, text: string, send: () => Promise<T>) => Promise<T>;
type Query = (this: pg.Client, text: string, values?: unknown) => Promise<unknown>;
type PoolCallback = (error: undefined, result: { rows: [] }) => void;

function gatedClient(
  gate: Gate,
  tables: TableMap,
  rewrite: Rewrite = (text) => text,
): typeof pg.Client {
  return class extends pg.Client {
    readonly reader = new AccessReader(tables);
    declare readonly processID: number;
    // Of the driver's signatures the query builder uses the one without a callback.
    override query = ((text: string, values?: unknown, callback?: PoolCallback) => {
      // The pool's own query: a hint after the commit, to which nobody listens here.
      if (callback) return callback(undefined, { rows: [] });
      return gate(this, text, () => (super.query as Query).call(this, rewrite(text), values));
    }) as pg.Client['query'];
  };
}

/** Everything that needs no outside world has happened. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => {
      setImmediate(resolve);
    });
  });
}

function tick(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, delayMs);
  });
}
