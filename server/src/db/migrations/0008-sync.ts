import { type Kysely, sql } from 'kysely';
import { SYNCED, triggersOf } from './0008-sync-triggers.ts';

/*
 * What changed is collected while a transaction runs and written to the log as its last statement
 * (docs/sync.md, decision 0007):
 *
 *   statement on a synced table ── trigger ──> setting `sync.pending` of the transaction
 *   Database.transaction, last  ── sync_flush() ──> sync_head (locked in order), then sync_row
 *   anything else, at commit    ── deferred trigger ──> the same sync_flush()
 *
 * A setting and not a table: it is undone with a savepoint, costs no write, and needs no cleaning.
 */
const TABLES = [
  `create table sync_epoch (
    id boolean primary key default true check (id),
    epoch uuid not null,
    cluster text not null
  )`,
  `create table sync_head (
    workspace_id uuid not null,
    scope text collate "C" not null,
    v bigint not null,
    gc_v bigint not null default 0,
    primary key (workspace_id, scope)
  ) with (fillfactor = 70)`,
  `create table sync_row (
    workspace_id uuid not null,
    scope text collate "C" not null,
    entity text collate "C" not null,
    id text collate "C" not null,
    v bigint not null,
    deleted boolean not null,
    deleted_at timestamptz,
    primary key (workspace_id, scope, entity, id)
  )`,
  `create index sync_row_log on sync_row (workspace_id, scope, v, entity, id)`,
  `create index sync_row_tombstone on sync_row (deleted_at) where deleted`,
  `create table sync_client (
    workspace_id uuid not null,
    user_id uuid not null,
    client_id uuid not null,
    last_mid bigint not null default 0,
    schema_v integer not null,
    last_seen_at timestamptz not null,
    primary key (workspace_id, user_id, client_id),
    foreign key (workspace_id, user_id) references app_user (workspace_id, id) on delete cascade
  )`,
  `create index sync_client_unseen on sync_client (last_seen_at)`,
  `create table sync_mutation (
    workspace_id uuid not null,
    user_id uuid not null,
    client_id uuid not null,
    mid bigint not null,
    status text not null check (status in ('ok', 'rejected')),
    code text,
    message text,
    at timestamptz not null,
    primary key (workspace_id, user_id, client_id, mid),
    foreign key (workspace_id, user_id, client_id)
      references sync_client (workspace_id, user_id, client_id) on delete cascade
  )`,
  `create index sync_mutation_old on sync_mutation (at)`,
  // Of the whole world: an order's id is made by a client, and the provider knows it by that alone.
  `create table client_order (
    order_id uuid constraint client_order_is_once primary key,
    workspace_id uuid not null
  )`,
  `create table user_preference (
    workspace_id uuid not null,
    user_id uuid not null,
    density text not null default 'comfortable' check (density in ('comfortable', 'compact')),
    active_account_id uuid,
    pinned_account_ids uuid[] not null default '{}',
    primary key (workspace_id, user_id),
    foreign key (workspace_id, user_id) references app_user (workspace_id, id) on delete cascade
  )`,
  `create index post_newest_of_workspace on post (workspace_id, taken_at, account_id, id)`,
  // One network account may be connected by several workspaces: a like that one of them paid for is
  // organic for none.
  `create index post_by_network_id on post (id)`,
  `create index subscription_by_network_account on subscription (ig_id)`,
];

const FUNCTIONS = [
  `create function sync_line(workspace uuid, scope text, entity text, id text, is_gone boolean)
    returns text language sql immutable as $$
      select workspace || E'\\t' || scope || E'\\t' || entity || E'\\t' || id
        || case when is_gone then E'\\td\\n' else E'\\t\\n' end $$`,

  `create function sync_touch(lines text) returns void language plpgsql as $$
    begin
      if lines is null then return; end if;
      perform set_config('sync.pending', concat(current_setting('sync.pending', true), lines), true);
    end $$`,

  // The one writer of the log. The row locks of the heads, taken in order and held to the commit, make
  // versions gapless and in commit order.
  `create function sync_flush() returns table (scope text, v bigint) language plpgsql as $$
    #variable_conflict use_column
    declare pending text := current_setting('sync.pending', true);
    begin
      if pending is null or pending = '' then return; end if;
      perform set_config('sync.pending', '', true);
      return query
      with line as (
        select split_part(l, E'\\t', 1)::uuid as workspace, split_part(l, E'\\t', 2) as name,
          split_part(l, E'\\t', 3) as entity, split_part(l, E'\\t', 4) as id,
          split_part(l, E'\\t', 5) = 'd' as is_gone, nr
        from string_to_table(rtrim(pending, E'\\n'), E'\\n') with ordinality as t(l, nr)
      ), touched as (
        select distinct on (name, entity, id) * from line order by name, entity, id, nr desc
      ), head as (
        insert into sync_head as h (workspace_id, scope, v)
        select distinct workspace, name collate "C", 1 from line order by 2
        on conflict (workspace_id, scope) do update set v = h.v + 1
        returning h.scope, h.v
      ), logged as (
        insert into sync_row (workspace_id, scope, entity, id, v, deleted)
        select workspace, name, touched.entity, touched.id, head.v, is_gone
        from touched join head on head.scope = name
        on conflict (workspace_id, scope, entity, id) do update
          set v = excluded.v, deleted = excluded.deleted, deleted_at = null
      )
      select head.scope::text, head.v from head order by 1;
    end $$`,

  // True for the first change of a transaction: one deferred call is enough for all of them.
  `create function sync_mark() returns boolean language plpgsql as $$
    begin
      if current_setting('sync.marked', true) = 'on' then return false; end if;
      perform set_config('sync.marked', 'on', true);
      return true;
    end $$`,
  `create function sync_flush_late() returns trigger language plpgsql as $$
    declare heads text;
    begin
      perform set_config('sync.marked', '', true);
      select string_agg(scope || '=' || v, ',') into heads from sync_flush();
      if heads is not null then
        perform pg_notify('ovation_sync', case when length(heads) < 7900 then heads else '*' end);
      end if;
      return null;
    end $$`,
];

/** What was there before the log: everything at version 1. */
const BACKFILL = [
  `insert into sync_epoch (epoch, cluster) values (gen_random_uuid(), '')`,
  `insert into sync_head (workspace_id, scope, v)
    select id, kind || id, 1 from workspace, unnest(array['w:', 'b:']) kind
    union all select workspace_id, 'u:' || id, 1 from app_user`,
  `insert into sync_row (workspace_id, scope, entity, id, v, deleted)
    select workspace_id, 'w:' || workspace_id, e, id::text, 1, false
      from account, unnest(array['account', 'deliverySettings']) e
    union all select workspace_id, 'w:' || workspace_id, 'post', account_id || '/' || id, 1, false
      from post
    union all select workspace_id, 'w:' || workspace_id, 'order', id::text, 1, false from like_order
    union all select id, 'b:' || id, 'wallet', id::text, 1, false from workspace
    union all select workspace_id, 'b:' || workspace_id, 'transaction', id::text, 1, false
      from credits_transaction
    union all select workspace_id, 'b:' || workspace_id, 'ledger', id::text, 1, false
      from ledger_transaction where credits <> 0
    union all select workspace_id, 'u:' || id, 'user', id::text, 1, false from app_user
    union all select workspace_id, 'u:' || user_id, 'device', id::text, 1, false
      from session where ended_at is null`,
];

/** The log of changes for local copies, what clients have sent, and a person's preferences. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const triggers = SYNCED.flatMap(triggersOf);
  for (const statement of [...TABLES, ...FUNCTIONS, ...triggers, ...BACKFILL]) {
    await sql.raw(statement).execute(db);
  }
}
