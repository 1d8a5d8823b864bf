import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table recovery (
    token_hash bytea primary key,
    id uuid not null,
    email_hash text not null,
    code_hash bytea,
    tries smallint not null default 0 check (tries between 0 and 5),
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create index recovery_by_email on recovery (email_hash)`,
  `create index recovery_over on recovery (expires_at)`,
  `alter table account add column username_changed_at timestamptz`,
];

/**
 * Password recoveries, the same row whether or not the address is anybody's, so no business of a
 * workspace; and when an account's username was last changed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
