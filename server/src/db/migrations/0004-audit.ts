import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table audit_event (
    workspace_id uuid not null,
    seq bigint not null check (seq > 0),
    at timestamptz not null,
    actor text not null,
    action text not null,
    subject text,
    previous_hash bytea not null,
    hash bytea not null,
    primary key (workspace_id, seq)
  )`,
  `create table audit_head (
    workspace_id uuid primary key,
    seq bigint not null,
    hash bytea not null
  )`,
  `create function refuse_audit_change() returns trigger language plpgsql as $$
    begin raise exception 'the audit log is append-only' using errcode = '42501'; end $$`,
  `create trigger audit_event_is_append_only before update or delete on audit_event
    for each row execute function refuse_audit_change()`,
  `create trigger audit_event_is_never_emptied before truncate on audit_event
    for each statement execute function refuse_audit_change()`,
  `create trigger audit_head_is_never_deleted before delete on audit_head
    for each row execute function refuse_audit_change()`,
];

/**
 * Who did what, one hash chain per workspace. No foreign key to the workspace: what was done stays known
 * after a customer has left. The head tells a shortened chain from a short one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
