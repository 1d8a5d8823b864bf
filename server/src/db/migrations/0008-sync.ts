import { type Kysely, sql } from 'kysely';

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

/** The rows a statement changed visibly, as old and new ones, in the words of a trigger function. */
interface Synced {
  table: string;
  /** Columns of the primary key behind the workspace. */
  key: readonly string[];
  /** What of a row can be seen in the local copy, as an expression over the alias "@". */
  seen: string;
  /**
   * Queries of lines over `changed`: the columns of the row, the whole new row `n` and old row `o` (null
   * on delete and insert), `gone` for a deleted one, and `op`.
   */
  lines: string;
}

const columns = (...names: string[]): string => `(${names.map((name) => `@.${name}`).join(', ')})`;

const usersOf = (rows: string): string =>
  `select sync_line(u.workspace_id, 'u:' || u.id, 'user', u.id::text, false)
   from (select distinct workspace_id from ${rows}) c,
     lateral (select * from app_user u where u.workspace_id = c.workspace_id offset 0) u`;

const SYNCED: readonly Synced[] = [
  {
    table: 'account',
    key: ['id'],
    seen: `(@.ig_username, @.ig_id, @.profile_picture_url is null, @.problem, @.followers,
      @.automatic_likes, @.speed, @.range_min, @.range_max, @.created_at)`,
    lines: `
      select sync_line(workspace_id, 'w:' || workspace_id, e, id::text, gone)
        from changed, unnest(array['account', 'deliverySettings']) e
      union all
      select sync_line(p.workspace_id, 'w:' || p.workspace_id, 'post', p.account_id || '/' || p.id, false)
        from changed c, lateral (select * from post p
          where p.workspace_id = c.workspace_id and p.account_id = c.id offset 0) p
        where op = 'UPDATE' and (c.n).ig_id is distinct from (c.o).ig_id
      union all
      select sync_line(l.workspace_id, 'w:' || l.workspace_id, 'order', l.id::text, false)
        from changed c, lateral (select * from like_order l
          where l.workspace_id = c.workspace_id and l.account_id = c.id offset 0) l
        where op = 'UPDATE' and (c.n).ig_username <> (c.o).ig_username`,
  },
  {
    table: 'post',
    key: ['account_id', 'id'],
    seen: columns(
      'shortcode',
      'media_type',
      'caption',
      'permalink',
      'taken_at',
      'list_position',
      'like_count',
      'comment_count',
      'detected_at',
      'deleted_at',
      'automatic_outcome',
    ),
    lines: `
      select sync_line(workspace_id, 'w:' || workspace_id, 'post', account_id || '/' || id, gone)
        from changed`,
  },
  {
    table: 'like_order',
    key: ['id'],
    seen: columns(
      'kind',
      'ig_id',
      'shortcode',
      'state',
      'reason',
      'speed',
      'start_count',
      'ordered',
      'bonus',
      'delivered',
      'remains',
      'views',
      'views_delivered',
      'posted_at',
      'detected_at',
      'started_at',
      'finished_at',
      'finish_by',
    ),
    lines: `
      select sync_line(workspace_id, 'w:' || workspace_id, 'order', id::text, gone) from changed
      union all
      select sync_line(workspace_id, 'w:' || workspace_id, 'post', account_id || '/' || post_id, false)
        from changed c
        where op <> 'UPDATE' or ((c.n).state, (c.n).ordered, (c.n).bonus, (c.n).delivered)
          is distinct from ((c.o).state, (c.o).ordered, (c.o).bonus, (c.o).delivered)
      union all
      select sync_line(p.workspace_id, 'w:' || p.workspace_id, 'post', p.account_id || '/' || p.id, false)
        from changed c, lateral (select * from post p
          where p.id = c.post_id and p.workspace_id <> c.workspace_id offset 0) p
        where coalesce((c.n).delivered, 0) <> coalesce((c.o).delivered, 0)`,
  },
  {
    table: 'subscription',
    key: ['id'],
    // Whatever a later column tells of a plan is seen too.
    seen: `(to_jsonb(@) - '{fence,next_action_at,reminded_for,retry_at,baseline_read_at,baseline_post_ids}'::text[])`,
    lines: `
      select distinct sync_line(c.workspace_id, 'w:' || c.workspace_id, e, a::text, false)
        from changed c, unnest(array['account', 'deliverySettings']) e,
          unnest(array[(c.n).account_id, (c.o).account_id]) a
        where a is not null
      union all ${usersOf('changed')}`,
  },
  {
    table: 'money_back_account',
    key: ['ig_id'],
    seen: columns('subscription_id'),
    lines: `
      select sync_line(s.workspace_id, 'w:' || s.workspace_id, 'account', s.account_id::text, false)
        from changed c, lateral (select * from subscription s where s.ig_id = c.ig_id offset 0) s`,
  },
  {
    table: 'credits_transaction',
    key: ['id'],
    seen: columns('card_id', 'ig_username', 'description', 'amount_cents', 'created_at'),
    lines: `
      select sync_line(workspace_id, 'b:' || workspace_id, 'transaction', id::text, gone) from changed
      union all
      select distinct sync_line(workspace_id, 'b:' || workspace_id, 'wallet', workspace_id::text, false)
        from changed
      union all ${usersOf('changed')}`,
  },
  {
    table: 'card',
    key: ['id'],
    seen: columns('brand', 'last_digits', 'holder_name', 'exp_month', 'exp_year', 'in_use_since'),
    lines: `
      select distinct sync_line(workspace_id, 'b:' || workspace_id, 'wallet', workspace_id::text, false)
        from changed
      union all
      select sync_line(t.workspace_id, 'b:' || t.workspace_id, 'transaction', t.id::text, false)
        from changed c, lateral (select * from credits_transaction t
          where t.workspace_id = c.workspace_id and t.card_id = c.id offset 0) t
        where op = 'UPDATE' and ((c.n).brand, (c.n).last_digits, (c.n).holder_name, (c.n).exp_month,
            (c.n).exp_year) is distinct from
          ((c.o).brand, (c.o).last_digits, (c.o).holder_name, (c.o).exp_month, (c.o).exp_year)`,
  },
  {
    table: 'credit_balance',
    key: [],
    seen: columns('balance', 'bonus'),
    lines: `
      select sync_line(workspace_id, 'b:' || workspace_id, 'wallet', workspace_id::text, false)
        from changed
      union all ${usersOf('changed')}`,
  },
  {
    table: 'billing_balance',
    key: [],
    seen: columns('cents'),
    lines: `
      select sync_line(workspace_id, 'b:' || workspace_id, 'wallet', workspace_id::text, false)
        from changed`,
  },
  {
    table: 'ledger_transaction',
    key: ['id'],
    seen: columns('credits'),
    lines: `
      select sync_line(workspace_id, 'b:' || workspace_id, 'ledger', id::text, gone)
        from changed where credits <> 0`,
  },
  {
    table: 'app_user',
    key: ['id'],
    seen: columns('name', 'email', 'phone', 'package', 'time_zone', 'default_account_id'),
    lines: `select sync_line(workspace_id, 'u:' || id, 'user', id::text, gone) from changed`,
  },
  {
    table: 'user_preference',
    key: ['user_id'],
    seen: columns('density', 'active_account_id', 'pinned_account_ids'),
    lines: `select sync_line(workspace_id, 'u:' || user_id, 'user', user_id::text, false) from changed`,
  },
  {
    table: 'session',
    key: ['id'],
    seen: columns('user_agent', 'expires_at', 'ended_at'),
    lines: `
      select sync_line(workspace_id, 'u:' || user_id, 'device', id::text,
        gone or (n).ended_at is not null) from changed`,
  },
];

/*
 * A plan is made once and kept, so it must hold for one row and for thousands: a full join can't be done by
 * nested loops (measured for 2,000 updated posts: 1,150 ms with them), and `offset 0` keeps other tables read by
 * key and not whole.
 */
function triggersOf({ table, key, seen, lines }: Synced): string[] {
  const seenOf = (row: string): string => seen.replaceAll('@', row);
  const same = ['workspace_id', ...key].map((name) => `o.${name} = n.${name}`).join(' and ');
  const touch = (changed: string): string => `
    with changed as materialized (${changed})
    select string_agg(line, '') into lines from (${lines}) x(line);`;
  const none = `null::${table}`;
  return [
    `create function sync_${table}() returns trigger language plpgsql as $$
      declare lines text;
      begin
        case tg_op
        when 'INSERT' then ${touch(`select n.*, n, ${none} as o, false as gone, 'INSERT' as op from new_rows n`)}
        when 'DELETE' then ${touch(`select o.*, ${none} as n, o, true as gone, 'DELETE' as op from old_rows o`)}
        when 'UPDATE' then ${touch(
          `select n.*, n, o, false as gone, 'UPDATE' as op from new_rows n full join old_rows o on ${same}
           where ${seenOf('n')} is distinct from ${seenOf('o')}`,
        )}
        end case;
        perform sync_touch(lines);
        return null;
      end $$`,
    `create trigger sync_insert after insert on ${table} referencing new table as new_rows
      for each statement execute function sync_${table}()`,
    `create trigger sync_update after update on ${table}
      referencing old table as old_rows new table as new_rows
      for each statement execute function sync_${table}()`,
    `create trigger sync_delete after delete on ${table} referencing old table as old_rows
      for each statement execute function sync_${table}()`,
    `create constraint trigger sync_late after insert or delete on ${table}
      deferrable initially deferred for each row when (sync_mark()) execute function sync_flush_late()`,
    `create constraint trigger sync_late_update after update on ${table}
      deferrable initially deferred for each row
      when (${seenOf('old')} is distinct from ${seenOf('new')} and sync_mark())
      execute function sync_flush_late()`,
  ];
}

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
