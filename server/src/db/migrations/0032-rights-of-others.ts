import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // What migrations before have changed is logged now: while it waits for the commit, it holds the table.
  `set constraints all immediate`,
  `set constraints all deferred`,
  `create index subscription_by_past_account on subscription using gin (past_account_hashes)`,
  `delete from network_owner where workspace_id not in (select workspace_id from app_user)`,
];

/** Earlier plans of an account are found; who has left owns no account any more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
