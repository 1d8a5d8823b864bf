import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `alter table session add constraint session_of_workspace unique (workspace_id, id)`,
  `create table push_subscription (
    workspace_id uuid not null,
    session_id uuid not null,
    endpoint text not null,
    p256dh text not null,
    auth text not null,
    created_at timestamptz not null,
    pending_order_ids uuid[] not null default '{}',
    next_attempt_at timestamptz,
    attempts integer not null default 0,
    primary key (workspace_id, session_id),
    foreign key (workspace_id, session_id) references session (workspace_id, id) on delete cascade
  )`,
  `create index push_subscription_due on push_subscription (next_attempt_at)
    where next_attempt_at is not null`,
  `create index push_subscription_by_endpoint on push_subscription (endpoint)`,
];

/** Browsers that are told when likes are done, though no page of the product is open in them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
