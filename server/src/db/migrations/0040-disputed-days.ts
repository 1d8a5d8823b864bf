import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `alter table subscription add column disputed_days integer not null default 0
    check (disputed_days >= 0)`,
  `alter table dispute
    add column released_at timestamptz,
    add column cut_cents integer not null default 0 check (cut_cents >= 0),
    add column kept_credits bigint not null default 0 check (kept_credits >= 0)`,
  `update dispute set released_at = greatest(heard_at, decided_at) where decided_at is not null`,
];

/** Days of a dispute don't count among those of money back; what it made us owe no more can come back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
