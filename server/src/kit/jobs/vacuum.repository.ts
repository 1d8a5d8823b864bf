import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/**
 * What Postgres's own vacuum would take up: a fifth of the rows and 50 more are dead, or a tenth and 50
 * more have changed since they were counted. A table that was never counted has -1 rows.
 */
export async function listTablesToVacuum(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select s.schemaname || '.' || s.relname as name
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
      or s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0)
    order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Sweeps up a table's dead rows and counts it anew. */
export async function vacuumTable(db: Db, table: string): Promise<void> {
  await sql`vacuum (analyze) ${sql.table(table)}`.execute(db);
}
