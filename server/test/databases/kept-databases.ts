import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createPostgresDatabase } from './migrated-postgres.ts';

/** Those of this worker that no test has. */
const free: KeptDatabase[] = [];

/** A migrated database that nobody else has: an emptied one with its connections, or a new copy. */
export async function takeDatabase(baseUrl: string): Promise<KeptDatabase> {
  return free.pop() ?? new KeptDatabase(await createPostgresDatabase(baseUrl));
}

/** How often, and how long apart, it is looked whether others have let go of a database. */
const LOOKS = 10;
const LOOK_MS = 10;

/** Undoes what a connection's last pool may have set. */
const FORGET = 'reset all; unlisten *; close all; select pg_advisory_unlock_all()';

const LOOK = `
  select not exists (select from pg_stat_activity
      where datname = current_database() and pid <> all ($1)) as "isLeft",
    not exists (select from kept.change) and not exists (select from pg_db_role_setting
      join pg_database d on d.oid = setdatabase where datname = current_database()) as "isWhole"`;

/** Emptied tables are as small as new ones, and as unknown to the planner. */
async function makeNew(one: pg.Client, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await one.query(`vacuum (skip_database_stats) ${names.join(', ')}`);
  await one.query(`select pg_clear_relation_stats('public', name) from unnest($1::text[]) name`, [
    names,
  ]);
}

/** A copy of the template with its connections, which outlive the pools that they serve. */
class KeptDatabase {
  readonly url: string;
  /** For a pool: connecting takes a connection that waits, and ending leaves it waiting. */
  readonly Client: typeof pg.Client;
  readonly #connections = new Set<KeptConnection>();
  readonly #waiting: KeptConnection[] = [];
  #isSpent = false;

  constructor(url: string) {
    this.url = url;
    this.Client = new Proxy(pg.Client, {
      construct: (_, [config]: [pg.ClientConfig]) =>
        this.#waiting.pop() ?? new KeptConnection(config, this),
    });
  }

  opened(connection: KeptConnection): void {
    this.#connections.add(connection);
  }

  closed(connection: KeptConnection): void {
    this.#connections.delete(connection);
    const at = this.#waiting.indexOf(connection);
    if (at >= 0) this.#waiting.splice(at, 1);
  }

  /** @returns whether a connection may stay open */
  keep(connection: KeptConnection): boolean {
    if (!this.#isSpent) this.#waiting.push(connection);
    return !this.#isSpent;
  }

  /**
   * Empties it for the next test. With somebody still in it, or a change that isn't one of rows, nobody
   * gets it again.
   */
  async giveBack(): Promise<void> {
    const [one] = this.#waiting;
    if (!one) return;
    this.#isSpent = !(await this.#isAsMade(one));
    if (!this.#isSpent) {
      await Promise.all(this.#waiting.map((each) => each.query(FORGET)));
      const { rows } = await one.query<{ name: string }>('select name from kept.empty() name');
      await makeNew(
        one,
        rows.map(({ name }) => name),
      );
      free.push(this);
    } else await Promise.all(this.#waiting.map((each) => each.end()));
  }

  async #isAsMade(one: pg.Client): Promise<boolean> {
    const own = [...this.#connections].map(({ processID: processId }) => processId);
    for (let looks = 1; looks <= LOOKS; looks += 1) {
      const { rows } = await one.query<{ isLeft: boolean; isWhole: boolean }>(LOOK, [own]);
      if (!rows[0]?.isWhole) return false;
      if (rows[0].isLeft) return true;
      await sleep(LOOK_MS);
    }
    return false;
  }
}

type Ask = (...args: unknown[]) => unknown;

/**
 * Ended by its pool it stays open, if nothing has gone wrong with it. The server keeps what it made of a
 * statement that is asked again, by a name: a quarter of what tests compute would be parsing and planning.
 */
class KeptConnection extends pg.Client {
  declare readonly processID: number;
  readonly #home: KeptDatabase;
  /** Names of the statements it was asked. */
  readonly #names = new Map<string, string>();
  #isOpen = false;

  constructor(config: pg.ClientConfig, home: KeptDatabase) {
    super(overSocket(config));
    this.#home = home;
    this.on('error', this.#lose).on('end', this.#lose);
  }

  override connect = ((done?: (error?: unknown) => void) =>
    told(this.#open(), done)) as pg.Client['connect'];

  override end = ((done?: () => void) => told(this.#close(), done)) as pg.Client['end'];

  override query = ((...args: unknown[]) => {
    const ask = super.query.bind(this) as Ask;
    const [text, values, ...rest] = args;
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0)
      return ask(...args);
    const name = this.#names.get(text);
    if (name !== undefined) return ask({ name, text, values }, ...rest);
    this.#names.set(text, `kept${this.#names.size}`);
    return ask(...args);
  }) as pg.Client['query'];

  async #open(): Promise<void> {
    if (this.#isOpen) return;
    await super.connect();
    this.#isOpen = true;
    this.#home.opened(this);
  }

  async #close(): Promise<void> {
    // Those of its pool.
    this.removeAllListeners('error').on('error', this.#lose);
    const isAtRest = this.#isOpen && this.getTransactionStatus() === 'I';
    if (!isAtRest || !this.#home.keep(this)) await super.end();
  }

  readonly #lose = (): void => {
    this.#isOpen = false;
    this.#home.closed(this);
  };
}

/** Where Postgres listens beside its port: a statement over it costs the system less than one over TCP. */
const SOCKETS = '/tmp';

function overSocket({ connectionString, ...others }: pg.ClientConfig): pg.ClientConfig {
  const { username, password, port, pathname } = new URL(connectionString ?? '');
  const isThere = existsSync(`${SOCKETS}/.s.PGSQL.${port}`);
  if (!isThere) return { connectionString, ...others };
  return {
    ...others,
    host: SOCKETS,
    port: Number(port),
    user: username,
    password,
    database: pathname.slice(1),
  };
}

function told(work: Promise<void>, done?: (error?: unknown) => void): Promise<void> | undefined {
  if (!done) return work;
  void tell(work, done);
  return undefined;
}

async function tell(work: Promise<void>, done: (error?: unknown) => void): Promise<void> {
  let trouble: unknown;
  try {
    await work;
  } catch (error) {
    trouble = error;
  }
  done(trouble);
}
