import type { TestProject } from 'vitest/node';
import { startMigratedPostgres } from './migrated-postgres.ts';

/** Starts one real Postgres for the whole run, with a migrated template that test files copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startMigratedPostgres();
  project.provide('database', { engine: 'postgres', baseUrl: server.baseUrl });
  return () => server.stop();
}
