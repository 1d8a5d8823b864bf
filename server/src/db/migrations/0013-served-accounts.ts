import { type Kysely, sql } from 'kysely';

/** The network accounts a plan has served before it moved on, as keyed hashes: its money back counts for all. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table subscription
    add column past_account_hashes text[] not null default '{}'`.execute(db);
}
