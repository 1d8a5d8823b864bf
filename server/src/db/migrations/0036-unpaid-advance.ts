import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // The row goes with the payment. Without a workspace: it outlives the customer, who may come back as another.
  `create table unpaid_advance (
    ig_id text primary key,
    subscription_id uuid not null,
    since timestamptz not null
  )`,
];

/** Network accounts whose posts were served before the payment for their days. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
