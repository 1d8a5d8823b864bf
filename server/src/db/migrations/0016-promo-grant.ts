import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Of all, as sign-up is before there is a workspace; gone when no window can be open any more.
  `create table promo_grant (
    window_id text primary key,
    granted_at timestamptz not null
  )`,
  `create index promo_grant_old on promo_grant (granted_at)`,
];

/** A browser's promo window gives its bonus once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
