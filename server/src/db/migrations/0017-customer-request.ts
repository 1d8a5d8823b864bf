import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // One for each customer the gateway was asked to make and nobody knows yet whether it did.
  `create table customer_request (
    workspace_id uuid not null references workspace (id),
    key text not null,
    email text not null,
    asked_at timestamptz not null,
    next_attempt_at timestamptz not null,
    fence integer not null default 0,
    primary key (workspace_id, key)
  )`,
  `create index customer_request_due on customer_request (next_attempt_at)`,
];

/** A customer made at the gateway whose answer was lost is found again, and kept or deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
