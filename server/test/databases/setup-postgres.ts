import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { TestProject } from 'vitest/node';
import { startMigratedPostgres } from './migrated-postgres.ts';

/** Starts one real Postgres for the whole run, with a migrated template that test files copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const emptying = await readFile(join(import.meta.dirname, 'emptying.sql'), 'utf8');
  const server = await startMigratedPostgres(({ db }) => sql.raw(emptying).execute(db));
  project.provide('database', { engine: 'postgres', baseUrl: server.baseUrl });
  return () => server.stop();
}
