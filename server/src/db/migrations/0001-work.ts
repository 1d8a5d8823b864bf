import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table submit (
    workspace_id uuid not null references workspace (id) on delete cascade,
    call text not null,
    key text not null,
    body_hash bytea not null,
    attempt_id uuid not null,
    answer json,
    created_at timestamptz not null,
    lease_until timestamptz not null,
    primary key (workspace_id, call, key)
  )`,
  `create table outbox (
    workspace_id uuid not null references workspace (id) on delete cascade,
    id uuid not null,
    payload jsonb not null,
    created_at timestamptz not null,
    next_attempt_at timestamptz,
    fence integer not null default 0,
    attempts smallint not null default 0,
    sent_at timestamptz,
    primary key (workspace_id, id)
  )`,
  `create index outbox_due on outbox (next_attempt_at) where next_attempt_at is not null`,
  `create table graph_bucket (
    bucket_id text primary key,
    usage_percent smallint not null default 0,
    blocked_until timestamptz,
    throttles smallint not null default 0,
    refused_code integer,
    paced_at timestamptz,
    updated_at timestamptz not null
  )`,
];

/** What is owed, repeated or shared: submits, mails, and the allowance of the read API. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
