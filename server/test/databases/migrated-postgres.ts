import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Database } from '#server/kit/db/database.ts';
import { migrate } from '#server/kit/db/migrate.ts';
import { openPostgres } from '#server/kit/db/postgres.ts';
import { keptUntilChanged } from './kept-until-changed.ts';
import { HASTY, type PostgresServer, startPostgres } from './postgres-server.ts';

const TEMPLATE_DATABASE = 'ovation_template';
const SOURCES = [
  'server/src/kit/db/**/*.{ts,sql}',
  'server/test/{migrated-postgres,postgres-server}.ts',
];
/** For short lives: a worker of its own would look into each of the copies. */
const UNSWEPT = ['-c', 'autovacuum=off'];
/** In the environment of a process that may use a server of its starter's: what `startMigratedPostgres` returned. */
export const SHARED_POSTGRES = 'SHARED_POSTGRES_URL';
const run = promisify(execFile);

/** A migrated server of the starter's; there is none where a command is run by itself. */
export function sharedPostgres(): PostgresServer | undefined {
  const baseUrl = process.env[SHARED_POSTGRES];
  return baseUrl === undefined ? undefined : { baseUrl, stop: async () => undefined };
}

/** A real Postgres with a migrated template, to which `prepare` may add. */
export async function startMigratedPostgres(
  prepare?: (template: Database) => Promise<unknown>,
  flags: readonly string[] = UNSWEPT,
): Promise<PostgresServer> {
  const shared = sharedPostgres();
  if (shared && !prepare) return shared;
  const all = [...HASTY, ...flags];
  if (!isUserThere()) {
    const server = await startPostgres(all);
    await makeTemplate(server);
    await inTemplate(server, prepare);
    return server;
  }
  const files = await keptUntilChanged('postgres', SOURCES, makeFiles);
  const plant = async (directory: string): Promise<void> => {
    await run('tar', ['-xpf', files, '-C', directory]);
  };
  const server = await startPostgres(all, { plant });
  await inTemplate(server, prepare);
  return server;
}

/** Root starts it as a user whom the first start makes; until then nobody can have its files. */
const isUserThere = (): boolean =>
  process.getuid?.() !== 0 || spawnSync('id', ['-u', 'postgres']).status === 0;

/** The files of a server that has the template, as a tar file: making and migrating them takes 20 times as long. */
async function makeFiles(path: string): Promise<void> {
  const server = await startPostgres(HASTY, {
    onStopped: async (directory) => {
      await run('tar', ['-cf', path, '-C', directory, '.']);
    },
  });
  await makeTemplate(server);
  await server.stop();
}

async function makeTemplate(server: PostgresServer): Promise<void> {
  const admin = new pg.Client({ connectionString: `${server.baseUrl}/postgres` });
  await admin.connect();
  await admin.query(`create database ${TEMPLATE_DATABASE}`);
  await admin.end();
  await inTemplate(server, migrate);
}

async function inTemplate(
  { baseUrl }: PostgresServer,
  work?: (template: Database) => Promise<unknown>,
): Promise<void> {
  if (!work) return;
  const template = openPostgres(`${baseUrl}/${TEMPLATE_DATABASE}`, { onError: () => undefined });
  await work(template);
  await template.close();
}

/** Copies the template into a database of its own and returns its address. */
export async function createPostgresDatabase(baseUrl: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client({ connectionString: `${baseUrl}/postgres` });
  await admin.connect();
  try {
    await admin.query(`create database ${name} template ${TEMPLATE_DATABASE} strategy file_copy`);
  } finally {
    await admin.end();
  }
  return `${baseUrl}/${name}`;
}
