import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `drop index sync_row_log`,
  `create index sync_row_log on sync_row (workspace_id, scope, v)`,
];

/**
 * The log's index holds nothing but its order. With the rows' ids in it, the database looked a row up
 * through it, skipping from version to version (81 us a row), instead of by the primary key (2 us),
 * until the table's figures were gathered: a first sync of 20,000 posts took 1.7 s on the server.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
