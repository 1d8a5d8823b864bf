import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table audit_notice (
    workspace_id uuid not null,
    seq bigint generated always as identity,
    at timestamptz not null,
    actor text not null,
    action text not null,
    subject text,
    primary key (workspace_id, seq)
  )`,
  `create index audit_notice_by_time on audit_notice (at)`,
  `alter table graph_bucket add column retry_at timestamptz`,
  `alter table graph_bucket add column refusals smallint not null default 0`,
];

/**
 * What strangers do waits beside the audit log: writing it there would make them wait for a chain's lock,
 * and an attacker would decide how long the log gets. And a refused token of the network's is tried again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
