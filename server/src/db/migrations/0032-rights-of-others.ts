import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create index subscription_by_past_account on subscription using gin (past_account_hashes)`,
  `delete from network_owner where workspace_id not in (select workspace_id from app_user)`,
];

/** Earlier plans of an account are found; who has left owns no account any more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
