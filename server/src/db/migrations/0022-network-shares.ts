import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `alter table graph_bucket add column open_readings jsonb not null default '{}'`,
  `alter table graph_bucket add column used_at timestamptz not null default 'epoch'`,
  `create table remembered_profile (
    ig_username text primary key,
    account jsonb,
    read_at timestamptz not null
  )`,
  `create index remembered_profile_by_time on remembered_profile (read_at)`,
];

/**
 * Readings for customers have a share of the network's allowance: what is being asked at this moment
 * counts, on whichever node. What a look-up showed answers its repeats for a minute.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
