import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database, Tables } from './database.ts';
import { databaseOn } from './open-database.ts';
import { createPostgresChanges } from './postgres-changes.ts';

const INT8 = 20;
const DATE = 1082;
const TIMESTAMPTZ = 1184;
const IN_UTC = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/;
/** The queue's own pool; it holds one more connection to be notified through. */
const QUEUE_CONNECTIONS = 3;

/** Opens Postgres through a pool of connections. */
export function openPostgres(
  url: string,
  options: {
    connections?: number;
    /** Whoever has waited so long for one is refused. */
    connectionWaitMs?: number;
    onError: (error: Error) => void;
    /** Connections of another kind than the driver's own. */
    Client?: typeof pg.Client;
  },
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connections ?? 10,
    connectionTimeoutMillis: options.connectionWaitMs ?? 10_000,
    types,
    ...(options.Client && { Client: options.Client }),
  });
  // An idle connection that breaks is replaced by the pool; unhandled, its event would end the process.
  pool.on('error', options.onError);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const changes = createPostgresChanges({ url, pool, onError: options.onError });
  return databaseOn({
    engine: 'postgres',
    db,
    changes,
    exclusively: (work) => work(),
    queueStore: { connectionString: url, max: QUEUE_CONNECTIONS },
    close: async () => {
      await changes.close();
      await db.destroy();
    },
  });
}

const readAnyInstant = pg.types.getTypeParser(TIMESTAMPTZ, 'text') as (text: string) => unknown;

/**
 * An instant as Postgres writes it in UTC, ten times as fast as the driver reads any: a customer with 5,000
 * accounts has 50,000 of them.
 */
function readInstant(text: string): unknown {
  if (!IN_UTC.test(text)) return readAnyInstant(text);
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
}

/** Counts and versions stay far below 2^53; a calendar date has no time and no zone, so it stays text. */
const OWN_PARSERS = new Map<number, (text: string) => unknown>([
  [INT8, Number],
  [DATE, (text) => text],
  [TIMESTAMPTZ, readInstant],
]);

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    OWN_PARSERS.get(oid) ?? (pg.types.getTypeParser(oid, format ?? 'text') as unknown),
};
