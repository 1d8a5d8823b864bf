import { type Kysely, sql } from 'kysely';

/** From when on a plan of before serves no post any more, whenever the post was taken. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table past_plan add superseded_at timestamptz`.execute(db);
}
