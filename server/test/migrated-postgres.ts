import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Database } from '#server/kit/db/database.ts';
import { migrate } from '#server/kit/db/migrate.ts';
import { openPostgres } from '#server/kit/db/postgres.ts';
import { HASTY, type PostgresServer, startPostgres } from './postgres-server.ts';

const TEMPLATE_DATABASE = 'ovation_template';

/** A real Postgres with a migrated template, to which `prepare` may add. */
export async function startMigratedPostgres(
  prepare: (template: Database) => Promise<unknown> = async () => undefined,
): Promise<PostgresServer> {
  // A worker of its own would look into each of the copies.
  const server = await startPostgres([...HASTY, '-c', 'autovacuum=off']);
  const admin = new pg.Client({ connectionString: `${server.baseUrl}/postgres` });
  await admin.connect();
  await admin.query(`create database ${TEMPLATE_DATABASE}`);
  await admin.end();
  const template = openPostgres(`${server.baseUrl}/${TEMPLATE_DATABASE}`, {
    onError: () => undefined,
  });
  await migrate(template);
  await prepare(template);
  await template.close();
  return server;
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
