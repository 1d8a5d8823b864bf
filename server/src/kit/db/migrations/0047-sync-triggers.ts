import { type Kysely, sql } from 'kysely';

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

/** Every table with rows in local copies. */
const SYNCED: readonly Synced[] = [
  {
    table: 'account',
    key: ['id'],
    // Removing an account, and connecting it again, is a change of all its rows.
    seen: `(@.ig_username, @.ig_id, @.profile_picture_url is null, @.problem, @.followers,
      @.automatic_likes, @.speed, @.range_min, @.range_max, @.created_at, @.removed_at)`,
    lines: `
      select sync_line(workspace_id, 'w:' || workspace_id, 'account', id::text, gone) from changed
      union all
      select sync_line(p.workspace_id, 'w:' || p.workspace_id, 'post', p.account_id || '/' || p.id, false)
        from changed c, lateral (select * from post p
          where p.workspace_id = c.workspace_id and p.account_id = c.id offset 0) p
        where op = 'UPDATE'
          and ((c.n).ig_id, (c.n).removed_at) is distinct from ((c.o).ig_id, (c.o).removed_at)
      union all
      select sync_line(l.workspace_id, 'w:' || l.workspace_id, 'order', l.id::text, false)
        from changed c, lateral (select * from like_order l
          where l.workspace_id = c.workspace_id and l.account_id = c.id offset 0) l
        where op = 'UPDATE' and
          ((c.n).ig_username, (c.n).removed_at) is distinct from ((c.o).ig_username, (c.o).removed_at)`,
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
      'organic_likes',
      'lost_likes',
    ),
    lines: `
      select sync_line(workspace_id, 'w:' || workspace_id, 'post', account_id || '/' || id, gone)
        from changed`,
  },
  {
    // Whoever doesn't see what others deliver to an account isn't told when it happens either.
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
      'credits_returned',
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
        from changed c, lateral (select p.* from post p
          join account a on a.workspace_id = p.workspace_id and a.id = p.account_id
          where p.id = c.post_id and p.workspace_id <> c.workspace_id and (
            exists (select from subscription s
              where s.ig_id = a.ig_id and s.workspace_id = a.workspace_id)
            or exists (select from like_order l
              where l.workspace_id = a.workspace_id and l.account_id = a.id and l.ig_id = a.ig_id)
            or exists (select from ownership_proof o where o.workspace_id = a.workspace_id
              and o.ig_id = a.ig_id and o.proved_at is not null)) offset 0) p
        where coalesce((c.n).delivered, 0) <> coalesce((c.o).delivered, 0)`,
  },
  {
    table: 'subscription',
    key: ['id'],
    // Whatever a later column tells of a plan is seen too.
    seen: `(to_jsonb(@) - '{fence,next_action_at,reminded_for,retry_at,baseline_read_at,baseline_post_ids}'::text[])`,
    lines: `
      select distinct sync_line(c.workspace_id, 'w:' || c.workspace_id, 'account', a::text, false)
        from changed c, unnest(array[(c.n).account_id, (c.o).account_id]) a
        where a is not null
      union all ${usersOf('changed')}`,
  },
  {
    table: 'refund_request',
    key: ['subscription_id'],
    seen: columns('state'),
    lines: `
      select sync_line(s.workspace_id, 'w:' || s.workspace_id, 'account', s.account_id::text, false)
        from changed c, lateral (select * from subscription s
          where s.workspace_id = c.workspace_id and s.id = c.subscription_id offset 0) s`,
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
    seen: columns('density', 'active_account_id', 'pinned_account_ids', 'likes_done_mail'),
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

/** What changes of these tables goes to the log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of SYNCED.flatMap(triggersOf)) await sql.raw(statement).execute(db);
}
