import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Browsers and networks a customer has logged in from: their tries at the password are counted apart.
  `create table known_browser (
    workspace_id uuid not null,
    user_id uuid not null,
    browser_hash bytea not null,
    network_hash bytea not null,
    seen_at timestamptz not null,
    primary key (workspace_id, user_id, browser_hash, network_hash),
    foreign key (workspace_id, user_id) references app_user (workspace_id, id) on delete cascade
  )`,
  // Set where a session was ended from elsewhere: its device is then told to keep nothing.
  `alter table session add column end_reason text
    check (end_reason in ('signed_out', 'password_changed'))`,
  // Sessions of deleted customers, until their cookies are over.
  `create table deleted_session (
    token_hash bytea primary key,
    expires_at timestamptz not null
  )`,
  `create index deleted_session_old on deleted_session (expires_at)`,
];

/** Known browsers have a budget of their own, and an ended session is remembered with its reason. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
