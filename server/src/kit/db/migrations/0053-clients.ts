import { type Kysely, sql } from 'kysely';

/*
 * What each member who sees single clients may see is a scope of its own, `w:<membership>`: a copy of those lines of
 * the workspace's scope that are about their accounts. It is kept by sync_flush alone, under the lock of the
 * workspace's head, so that no account moves and no right is lost between looking and writing.
 */
const TABLES = `
create table client (
  workspace_id uuid not null references workspace (id) on delete cascade,
  id uuid not null,
  name text not null check (name <> ''),
  archived_at timestamptz,
  created_at timestamptz not null,
  primary key (workspace_id, id)
);

create unique index client_name on client (workspace_id, lower(name));

alter table account add column client_id uuid,
  add constraint account_of_client foreign key (workspace_id, client_id) references client (workspace_id, id);

create index account_by_client on account (workspace_id, client_id) where client_id is not null;

create table client_grant (
  workspace_id uuid not null,
  user_id uuid not null,
  client_id uuid not null,
  role text not null check (role in ('Manager', 'Editor', 'Viewer')),
  primary key (workspace_id, user_id, client_id),
  foreign key (workspace_id, user_id) references membership (workspace_id, user_id) on delete cascade,
  foreign key (workspace_id, client_id) references client (workspace_id, id) on delete cascade
);

create index client_grant_by_client on client_grant (workspace_id, client_id);

alter table membership add constraint owner_has_all_clients check (role <> 'Owner' or all_clients);

create index membership_of_clients on membership (workspace_id) where not all_clients;

alter table invitation add column all_clients boolean not null default true,
  add constraint owner_has_all_clients check (role <> 'Owner' or all_clients);

create function sync_client_name() returns trigger language plpgsql as $$
  begin
    perform sync_touch((
      select string_agg(sync_line(a.workspace_id, 'w:' || a.workspace_id, 'account', a.id::text, false), '')
      from account a where a.workspace_id = new.workspace_id and a.client_id = new.id));
    return null;
  end $$;

create trigger sync_name after update of name on client for each row execute function sync_client_name();

create constraint trigger sync_late after update of name on client
  deferrable initially deferred for each row when (sync_mark()) execute function sync_flush_late();

create function sync_rights() returns trigger language plpgsql as $$
  declare
    workspace uuid := coalesce(new.workspace_id, old.workspace_id);
    person uuid := coalesce(new.user_id, old.user_id);
  begin
    perform sync_touch((
      select sync_line(workspace, 'u:' || m.id, 'user', m.id::text, false)
        || sync_line(workspace, 'g:' || m.id, 'rights', m.id::text, false)
      from membership m where m.workspace_id = workspace and m.user_id = person));
    return null;
  end $$;

create trigger sync_rights after insert or update or delete on client_grant
  for each row execute function sync_rights();

create constraint trigger sync_late after insert or update or delete on client_grant
  deferrable initially deferred for each row when (sync_mark()) execute function sync_flush_late();

create trigger sync_rights after update of all_clients on membership
  for each row execute function sync_rights()`;

/** The scopes of members, after the others of the same transaction; what is told there of a workspace is told here. */
const FLUSH_SHARES = `
create function sync_flush_shares(pending text) returns table (scope text, v bigint) language plpgsql as $$
  #variable_conflict use_column
  declare workspaces uuid[];
  begin
    select array_agg(distinct t.workspace order by t.workspace) into workspaces from (
      select split_part(l, E'\\t', 1)::uuid as workspace, split_part(l, E'\\t', 3) as entity
      from string_to_table(rtrim(pending, E'\\n'), E'\\n') as l) t
    where t.entity = 'rights' or (t.entity in ('account', 'post', 'order') and exists (
      select from membership m where m.workspace_id = t.workspace and not m.all_clients));
    if workspaces is null then return; end if;
    insert into sync_head (workspace_id, scope, v) select w, 'w:' || w, 0 from unnest(workspaces) w
      order by 2 on conflict do nothing;
    perform from sync_head h where h.workspace_id = any(workspaces)
      and h.scope in (select 'w:' || w from unnest(workspaces) w) order by h.scope for update;
    return query
    with line as materialized (
      select distinct on (workspace, entity, id) * from (
        select split_part(l, E'\\t', 1)::uuid as workspace, split_part(l, E'\\t', 3) as entity,
          split_part(l, E'\\t', 4) as id, split_part(l, E'\\t', 5) = 'd' as is_gone, nr
        from string_to_table(rtrim(pending, E'\\n'), E'\\n') with ordinality as t(l, nr)) t
      where workspace = any(workspaces) and entity in ('account', 'post', 'order', 'rights')
      order by workspace, entity, id, nr desc
    ), told as materialized (
      select t.*, case when entity = 'order'
          then (select o.account_id from like_order o where o.workspace_id = workspace and o.id = t.id::uuid)
          else split_part(t.id, '/', 1)::uuid end as account
      from line t where entity <> 'rights'
    ), member as materialized (
      select m.* from membership m where m.workspace_id = any(workspaces) and not m.all_clients
      union
      select m.* from line t join membership m on m.workspace_id = t.workspace and m.id = t.id::uuid
        where t.entity = 'rights'
    ), pair as materialized (
      select m.workspace_id as workspace, m.id as member, a.id as account,
        not m.all_clients and a.removed_at is null and exists (
          select from client_grant g where g.workspace_id = m.workspace_id and g.user_id = m.user_id
            and g.client_id = a.client_id) as seen,
        exists (select from sync_row r where r.workspace_id = m.workspace_id and r.scope = 'w:' || m.id
          and r.entity = 'account' and r.id = a.id::text and not r.deleted) as held
      from member m join account a on a.workspace_id = m.workspace_id
      where exists (select from line t where t.entity = 'rights' and t.id = m.id::text)
        or exists (select from told t where t.workspace = m.workspace_id and t.account = a.id)
    ), share as (
      -- Gained: all there is of it.
      select workspace, member, 'account' as entity, account::text as id, false as gone
        from pair where seen and not held
      union all
      select p.workspace, p.member, 'post', p.account || '/' || post.id, false
        from pair p join post on post.workspace_id = p.workspace and post.account_id = p.account
        where p.seen and not p.held
      union all
      select p.workspace, p.member, 'order', o.id::text, false
        from pair p join like_order o on o.workspace_id = p.workspace and o.account_id = p.account
        where p.seen and not p.held
      -- Lost: all that was told of it.
      union all
      select p.workspace, p.member, r.entity, r.id, true
        from pair p join sync_row r on r.workspace_id = p.workspace and r.scope = 'w:' || p.member
          and not r.deleted and (r.entity = 'account' and r.id = p.account::text
            or r.entity = 'post' and r.id like p.account || '/%'
            or r.entity = 'order' and exists (select from like_order o where o.workspace_id = p.workspace
              and o.id = r.id::uuid and o.account_id = p.account))
        where p.held and not p.seen
      union all
      select p.workspace, p.member, t.entity, t.id, t.is_gone
        from pair p join told t on t.workspace = p.workspace and t.account = p.account
        where p.seen and p.held
      -- An order that is gone no longer tells whose it was.
      union all
      select m.workspace_id, m.id, t.entity, t.id, true
        from told t join member m on m.workspace_id = t.workspace
          join sync_row r on r.workspace_id = t.workspace and r.scope = 'w:' || m.id
            and r.entity = t.entity and r.id = t.id and not r.deleted
        where t.account is null
    ), head as (
      insert into sync_head as h (workspace_id, scope, v)
      select distinct workspace, 'w:' || member, 1 from share order by 2
      on conflict (workspace_id, scope) do update set v = h.v + 1
      returning h.workspace_id, h.scope, h.v
    ), logged as (
      insert into sync_row (workspace_id, scope, entity, id, v, deleted)
      select s.workspace, head.scope, s.entity, s.id, head.v, s.gone
      from share s join head on head.workspace_id = s.workspace and head.scope = 'w:' || s.member
      on conflict (workspace_id, scope, entity, id) do update
        set v = excluded.v, deleted = excluded.deleted, deleted_at = null
    )
    select head.scope::text, head.v from head order by 1;
  end
$$`;

/** Replaces parts of a function as it is now; each has to be there. */
async function rewrite(
  db: Kysely<unknown>,
  name: string,
  parts: ReadonlyArray<[RegExp, string]>,
): Promise<void> {
  const { rows } = await sql<{ text: string }>`
    select pg_get_functiondef(oid) as text from pg_proc
    where proname = ${name} and pronamespace = 'public'::regnamespace`.execute(db);
  await sql.raw(replaceAll(rows[0]?.text ?? '', parts)).execute(db);
}

function replaceAll(text: string, parts: ReadonlyArray<[RegExp, string]>): string {
  return parts.reduce((before, [pattern, now]) => {
    const after = before.replace(pattern, now);
    if (after === before) throw new Error(`Nothing says ${pattern.source} any more.`);
    return after;
  }, text);
}

/** Accounts belong to clients, and members may be granted single ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of TABLES.split(/;\n\n/)) await sql.raw(statement).execute(db);
  await sql.raw(FLUSH_SHARES).execute(db);
  await rewrite(db, 'sync_flush', [
    [/(with ordinality as t\(l, nr\))/, `$1 where split_part(l, E'\\t', 3) <> 'rights'`],
    [
      /(select head\.scope::text, head\.v from head order by 1;)/,
      '$1\n    return query select * from sync_flush_shares(pending);',
    ],
  ]);
  await rewrite(db, 'sync_account', [
    [/n\.tags,/, 'n.tags, n.client_id,'],
    [/o\.tags,/, 'o.tags, o.client_id,'],
  ]);
  const { rows } = await sql<{ text: string }>`
    select pg_get_triggerdef(oid) as text from pg_trigger
    where tgrelid = 'account'::regclass and tgname = 'sync_late_update'`.execute(db);
  const late = replaceAll(rows[0]?.text ?? '', [
    [
      /\bold\.tags IS DISTINCT FROM new\.tags\b/,
      '$& OR old.client_id IS DISTINCT FROM new.client_id',
    ],
  ]);
  await sql`drop trigger sync_late_update on account`.execute(db);
  await sql.raw(late).execute(db);
}
