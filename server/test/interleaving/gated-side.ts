import pg from 'pg';
import { openPostgres } from '#server/db/postgres.ts';
import type { Database } from '#server/db/database.ts';
import { type Access, AccessReader } from './statement-access.ts';

interface Waiting {
  text: string;
  reader: AccessReader;
  processId: number;
  open: () => void;
}

/** How a side stands once nothing more happens by itself. */
export type Standing =
  /** Its next statement waits at the gate. */
  | { kind: 'ready'; text: string; access: Access }
  /** A statement was sent and waits for a lock in the database. */
  | { kind: 'blocked' }
  | { kind: 'over' };

/** Statements that the planted bug of a test changes on their way to the database. */
export type Rewrite = (text: string) => string;

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
  #isOver = true;
  #onChange: () => void = () => undefined;

  constructor(url: string, tables: readonly string[], observer: pg.Client, rewrite?: Rewrite) {
    this.#observer = observer;
    this.database = openPostgres(`${url}?options=-c%20deadlock_timeout%3D30ms`, {
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
  async standing(): Promise<Standing> {
    for (let looks = 0; ; looks += 1) {
      await settled();
      const [next] = this.#waiting;
      if (this.#isOver) return { kind: 'over' };
      if (this.#sent.size === 0 && next) {
        return { kind: 'ready', text: next.text, access: next.reader.peek(next.text) };
      }
      await Promise.race([this.#change(), looks === 0 ? tick(5) : tick(1)]);
      if (this.#sent.size > 0 && (await this.#isBlocked())) return { kind: 'blocked' };
    }
  }

  async #isBlocked(): Promise<boolean> {
    const { rows } = await this.#observer.query<{ blocked: boolean }>(
      `select bool_or(cardinality(pg_blocking_pids(pid)) > 0) as blocked from unnest($1::int[]) as pid`,
      [[...this.#sent]],
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
    await new Promise<void>((open) => {
      this.#waiting.push({ text, reader, processId, open });
      this.#onChange();
    });
    reader.take(text);
    this.#sent.add(processId);
    try {
      return await send();
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

function gatedClient(
  gate: Gate,
  tables: readonly string[],
  rewrite: Rewrite = (text) => text,
): typeof pg.Client {
  return class extends pg.Client {
    readonly reader = new AccessReader(tables);
    declare readonly processID: number;
    // The query builder uses this one of the driver's signatures.
    override query = ((text: string, values?: unknown) => {
      const send = () => (super.query as Query).call(this, rewrite(text), values);
      // A hint after the commit, which nobody waits for and nothing depends on.
      return text.startsWith('select pg_notify') ? send() : gate(this, text, send);
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
