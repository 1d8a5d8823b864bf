import { type Kysely, sql } from 'kysely';
import { SYNCED, triggersOf } from './0008-sync-triggers.ts';

const TABLES = [
  `alter table account add column removed_at timestamptz`,
  `alter table account drop constraint account_username_is_connected`,
  `create unique index account_username_is_connected on account (workspace_id, ig_username)
    where removed_at is null`,
  `create index account_removed on account (workspace_id) where removed_at is not null`,
  `alter table subscription add column displaced_at timestamptz, add column moved_at timestamptz`,
  `alter table money_back_account add column freed_for uuid, add column retaken boolean not null default false`,
  `create table ownership_proof (
    workspace_id uuid not null references workspace (id),
    ig_id text not null,
    asked_at timestamptz not null,
    expires_at timestamptz not null,
    proved_at timestamptz,
    primary key (workspace_id, ig_id)
  )`,
  `create index ownership_proof_by_time on ownership_proof (expires_at)`,
  `create table network_owner (
    account_hash text primary key,
    workspace_id uuid not null,
    proved_at timestamptz not null
  )`,
];

const account = SYNCED.find(({ table }) => table === 'account');
if (!account) throw new Error('There is no trigger of accounts to change');

/** Removing an account, and connecting it again, is a change of all its rows. */
const ACCOUNT = {
  ...account,
  seen: account.seen.replace('@.created_at', '@.created_at, @.removed_at'),
  lines: account.lines
    .replace(
      '(c.n).ig_id is distinct from (c.o).ig_id',
      '((c.n).ig_id, (c.n).removed_at) is distinct from ((c.o).ig_id, (c.o).removed_at)',
    )
    .replace(
      '(c.n).ig_username <> (c.o).ig_username',
      '((c.n).ig_username, (c.n).removed_at) is distinct from ((c.o).ig_username, (c.o).removed_at)',
    ),
};

const TRIGGERS = [
  ...['insert', 'update', 'delete', 'late', 'late_update'].map(
    (name) => `drop trigger sync_${name} on account`,
  ),
  `drop function sync_account()`,
  ...triggersOf(ACCOUNT),
];

/** Whoever touches a row of a removed account (another workspace delivers to the same post), it stays gone. */
const FLUSH = `create or replace function sync_flush() returns table (scope text, v bigint)
  language plpgsql as $$
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
      ), removed as materialized (
        select a.workspace_id, a.id from account a
        where a.removed_at is not null and a.workspace_id in (select workspace from line)
      ), head as (
        insert into sync_head as h (workspace_id, scope, v)
        select distinct workspace, name collate "C", 1 from line order by 2
        on conflict (workspace_id, scope) do update set v = h.v + 1
        returning h.scope, h.v
      ), logged as (
        insert into sync_row (workspace_id, scope, entity, id, v, deleted)
        select workspace, name, touched.entity, touched.id, head.v,
          is_gone or exists (select from removed r where r.workspace_id = workspace and case
            when touched.entity in ('account', 'deliverySettings', 'post')
              then r.id::text = split_part(touched.id, '/', 1)
            when touched.entity = 'order' then exists (select from like_order o
              where o.workspace_id = workspace and o.id = touched.id::uuid and o.account_id = r.id)
            else false end)
        from touched join head on head.scope = name
        on conflict (workspace_id, scope, entity, id) do update
          set v = excluded.v, deleted = excluded.deleted, deleted_at = null
      )
      select head.scope::text, head.v from head order by 1;
    end $$`;

/**
 * An account can be removed and connected again, with its history; its name is free meanwhile. And whose a
 * network account is can be shown: the codes that were asked for, and who has shown it, as a keyed hash.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...TABLES, ...TRIGGERS, FLUSH]) await sql.raw(statement).execute(db);
}
