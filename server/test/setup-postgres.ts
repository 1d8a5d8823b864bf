import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '#server/kit/db/migrate.ts';
import { openPostgres } from '#server/kit/db/postgres.ts';
import { startPostgres } from './postgres-server.ts';

export const TEMPLATE_DATABASE = 'ovation_template';

/** Starts one real Postgres for the whole run, with a migrated template that test files copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  const admin = new pg.Client({ connectionString: `${server.baseUrl}/postgres` });
  await admin.connect();
  await admin.query(`create database ${TEMPLATE_DATABASE}`);
  await admin.end();
  const template = openPostgres(`${server.baseUrl}/${TEMPLATE_DATABASE}`, {
    onError: () => undefined,
  });
  await migrate(template);
  await template.close();
  project.provide('database', { engine: 'postgres', baseUrl: server.baseUrl });
  return () => server.stop();
}
