import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table rate_limit (
    name text not null,
    key_hash text not null,
    used integer not null,
    resets_at timestamptz not null,
    primary key (name, key_hash)
  )`,
  `create index rate_limit_over on rate_limit (resets_at)`,
];

/** How often something was done lately: shared by all nodes, and no business of a workspace. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
