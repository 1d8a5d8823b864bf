-- What collects and logs the changes of synced rows: every function and trigger, as migrations left them.
-- Nothing runs this file. It is written from the catalog of a migrated database, and held to it, by
--   npx vitest run --project pglite server/src/kit/db/sync-triggers.db.test.ts
-- which renews it with -u.

CREATE OR REPLACE FUNCTION public.sync_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  declare lines text;
  begin
    case tg_op
    when 'INSERT' then
      select string_agg(sync_line(workspace_id, 'w:' || workspace_id, 'account', id::text, false), '')
        into lines from new_rows;
    when 'DELETE' then
      select string_agg(sync_line(workspace_id, 'w:' || workspace_id, 'account', id::text, true), '')
        into lines from old_rows;
    when 'UPDATE' then
      with changed as materialized (
        select n.*, n, o from new_rows n
          full join old_rows o on o.workspace_id = n.workspace_id and o.id = n.id
          where (n.ig_username, n.ig_id, n.profile_picture_url is null, n.problem, n.followers,
              n.automatic_likes, n.speed, n.range_min, n.range_max, n.tags, n.client_id, n.created_at, n.removed_at)
            is distinct from
            (o.ig_username, o.ig_id, o.profile_picture_url is null, o.problem, o.followers,
              o.automatic_likes, o.speed, o.range_min, o.range_max, o.tags, o.client_id, o.created_at, o.removed_at))
      select string_agg(line, '') into lines from (
        select sync_line(workspace_id, 'w:' || workspace_id, 'account', id::text, false) from changed
        union all
        select sync_line(p.workspace_id, 'w:' || p.workspace_id, 'post', p.account_id || '/' || p.id, false)
          from changed c, lateral (select * from post p
            where p.workspace_id = c.workspace_id and p.account_id = c.id offset 0) p
          where ((c.n).ig_id, (c.n).removed_at) is distinct from ((c.o).ig_id, (c.o).removed_at)
        union all
        select sync_line(l.workspace_id, 'w:' || l.workspace_id, 'order', l.id::text, false)
          from changed c, lateral (select * from like_order l
            where l.workspace_id = c.workspace_id and l.account_id = c.id offset 0) l
          where ((c.n).ig_username, (c.n).removed_at)
            is distinct from ((c.o).ig_username, (c.o).removed_at)) x(line);
    end case;
    perform sync_touch(lines);
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION public.sync_account_view()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  declare
    workspace uuid := coalesce(new.workspace_id, old.workspace_id);
    is_shared boolean := (tg_op <> 'INSERT' and old.user_id is null) or (tg_op <> 'DELETE' and new.user_id is null);
  begin
    perform sync_touch((
      select string_agg(sync_line(m.workspace_id, 'u:' || m.id, 'user', m.id::text, false), '')
      from membership m where m.workspace_id = workspace
        and (is_shared or m.user_id in (old.user_id, new.user_id))));
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION public.sync_alert_choice()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    perform sync_touch((
      select string_agg(sync_line(m.workspace_id, 'u:' || m.id, 'user', m.id::text, false), '')
      from membership m where m.workspace_id = new.workspace_id and m.user_id = new.user_id));
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION public.sync_app_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare lines text;
      begin
        case tg_op
        when 'INSERT' then 
    with changed as materialized (select n.*, n, null::app_user as o, false as gone, 'INSERT' as op from new_rows n)
    select string_agg(line, '') into lines from (
      select sync_line(m.workspace_id, 'u:' || m.id, 'user', m.id::text, false)
        from changed c, 
  lateral (select * from membership m
    where m.home_workspace_id = c.workspace_id and m.user_id = c.id offset 0) m
      union all 
  select sync_line(r.workspace_id, 'u:' || r.id, 'user', r.id::text, false)
    from changed c, 
  lateral (select * from membership m
    where m.home_workspace_id = c.workspace_id and m.user_id = c.id and m.role = 'Owner' offset 0) m,
      lateral (select * from membership t where t.workspace_id = m.workspace_id offset 0) t,
      lateral (select * from membership r
        where r.home_workspace_id = t.home_workspace_id and r.user_id = t.user_id offset 0) r
    where op = 'UPDATE' and (c.n).name is distinct from (c.o).name) x(line);
        when 'DELETE' then 
    with changed as materialized (select o.*, null::app_user as n, o, true as gone, 'DELETE' as op from old_rows o)
    select string_agg(line, '') into lines from (
      select sync_line(m.workspace_id, 'u:' || m.id, 'user', m.id::text, false)
        from changed c, 
  lateral (select * from membership m
    where m.home_workspace_id = c.workspace_id and m.user_id = c.id offset 0) m
      union all 
  select sync_line(r.workspace_id, 'u:' || r.id, 'user', r.id::text, false)
    from changed c, 
  lateral (select * from membership m
    where m.home_workspace_id = c.workspace_id and m.user_id = c.id and m.role = 'Owner' offset 0) m,
      lateral (select * from membership t where t.workspace_id = m.workspace_id offset 0) t,
      lateral (select * from membership r
        where r.home_workspace_id = t.home_workspace_id and r.user_id = t.user_id offset 0) r
    where op = 'UPDATE' and (c.n).name is distinct from (c.o).name) x(line);
        when 'UPDATE' then 
    with changed as materialized (select n.*, n, o, false as gone, 'UPDATE' as op from new_rows n full join old_rows o on o.workspace_id = n.workspace_id and o.id = n.id
           where (n.name, n.email, n.phone, n.package, n.time_zone, n.default_account_id) is distinct from (o.name, o.email, o.phone, o.package, o.time_zone, o.default_account_id))
    select string_agg(line, '') into lines from (
      select sync_line(m.workspace_id, 'u:' || m.id, 'user', m.id::text, false)
        from changed c, 
  lateral (select * from membership m
    where m.home_workspace_id = c.workspace_id and m.user_id = c.id offset 0) m
      union all 
  select sync_line(r.workspace_id, 'u:' || r.id, 'user', r.id::text, false)
    from changed c, 
  lateral (select * from membership m
    where m.home_workspace_id = c.workspace_id and m.user_id = c.id and m.role = 'Owner' offset 0) m,
      lateral (select * from membership t where t.workspace_id = m.workspace_id offset 0) t,
      lateral (select * from membership r
        where r.home_workspace_id = t.home_workspace_id and r.user_id = t.user_id offset 0) r
    where op = 'UPDATE' and (c.n).name is distinct from (c.o).name) x(line);
        end case;
        perform sync_touch(lines);
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.sync_budget()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  declare workspace uuid := coalesce(new.workspace_id, old.workspace_id);
  begin
    perform sync_touch(sync_line(workspace, 'b:' || workspace, 'wallet', workspace::text, false));
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION public.sync_card()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare lines text;
      begin
        case tg_op
        when 'INSERT' then 
    with changed as materialized (select n.*, n, null::card as o, false as gone, 'INSERT' as op from new_rows n)
    select string_agg(line, '') into lines from (
      select distinct sync_line(workspace_id, 'b:' || workspace_id, 'wallet', workspace_id::text, false)
        from changed
      union all
      select sync_line(t.workspace_id, 'b:' || t.workspace_id, 'transaction', t.id::text, false)
        from changed c, lateral (select * from credits_transaction t
          where t.workspace_id = c.workspace_id and t.card_id = c.id offset 0) t
        where op = 'UPDATE' and ((c.n).brand, (c.n).last_digits, (c.n).holder_name, (c.n).exp_month,
            (c.n).exp_year) is distinct from
          ((c.o).brand, (c.o).last_digits, (c.o).holder_name, (c.o).exp_month, (c.o).exp_year)) x(line);
        when 'DELETE' then 
    with changed as materialized (select o.*, null::card as n, o, true as gone, 'DELETE' as op from old_rows o)
    select string_agg(line, '') into lines from (
      select distinct sync_line(workspace_id, 'b:' || workspace_id, 'wallet', workspace_id::text, false)
        from changed
      union all
      select sync_line(t.workspace_id, 'b:' || t.workspace_id, 'transaction', t.id::text, false)
        from changed c, lateral (select * from credits_transaction t
          where t.workspace_id = c.workspace_id and t.card_id = c.id offset 0) t
        where op = 'UPDATE' and ((c.n).brand, (c.n).last_digits, (c.n).holder_name, (c.n).exp_month,
            (c.n).exp_year) is distinct from
          ((c.o).brand, (c.o).last_digits, (c.o).holder_name, (c.o).exp_month, (c.o).exp_year)) x(line);
        when 'UPDATE' then 
    with changed as materialized (select n.*, n, o, false as gone, 'UPDATE' as op from new_rows n full join old_rows o on o.workspace_id = n.workspace_id and o.id = n.id
           where (n.brand, n.last_digits, n.holder_name, n.exp_month, n.exp_year, n.in_use_since) is distinct from (o.brand, o.last_digits, o.holder_name, o.exp_month, o.exp_year, o.in_use_since))
    select string_agg(line, '') into lines from (
      select distinct sync_line(workspace_id, 'b:' || workspace_id, 'wallet', workspace_id::text, false)
        from changed
      union all
      select sync_line(t.workspace_id, 'b:' || t.workspace_id, 'transaction', t.id::text, false)
        from changed c, lateral (select * from credits_transaction t
          where t.workspace_id = c.workspace_id and t.card_id = c.id offset 0) t
        where op = 'UPDATE' and ((c.n).brand, (c.n).last_digits, (c.n).holder_name, (c.n).exp_month,
            (c.n).exp_year) is distinct from
          ((c.o).brand, (c.o).last_digits, (c.o).holder_name, (c.o).exp_month, (c.o).exp_year)) x(line);
        end case;
        perform sync_touch(lines);
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.sync_client_name()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    perform sync_touch((
      select string_agg(sync_line(a.workspace_id, 'w:' || a.workspace_id, 'account', a.id::text, false), '')
      from account a where a.workspace_id = new.workspace_id and a.client_id = new.id));
    if exists (select from budget where workspace_id = new.workspace_id and client_id = new.id) then
      perform sync_touch(sync_line(new.workspace_id, 'b:' || new.workspace_id, 'wallet', new.workspace_id::text, false));
    end if;
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION public.sync_credit_balance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare lines text;
      begin
        case tg_op
        when 'INSERT' then 
    with changed as materialized (select n.*, n, null::credit_balance as o, false as gone, 'INSERT' as op from new_rows n)
    select string_agg(line, '') into lines from (
      select sync_line(workspace_id, 'b:' || workspace_id, 'wallet', workspace_id::text, false)
        from changed
      union all 
  select sync_line(m.workspace_id, 'u:' || m.id, 'user', m.id::text, false)
    from (select distinct workspace_id from changed) c,
      lateral (select * from membership m where m.workspace_id = c.workspace_id offset 0) m) x(line);
        when 'DELETE' then 
    with changed as materialized (select o.*, null::credit_balance as n, o, true as gone, 'DELETE' as op from old_rows o)
    select string_agg(line, '') into lines from (
      select sync_line(workspace_id, 'b:' || workspace_id, 'wallet', workspace_id::text, false)
        from changed
      union all 
  select sync_line(m.workspace_id, 'u:' || m.id, 'user', m.id::text, false)
    from (select distinct workspace_id from changed) c,
      lateral (select * from membership m where m.workspace_id = c.workspace_id offset 0) m) x(line);
        when 'UPDATE' then 
    with changed as materialized (select n.*, n, o, false as gone, 'UPDATE' as op from new_rows n full join old_rows o on o.workspace_id = n.workspace_id
           where (n.balance, n.bonus) is distinct from (o.balance, o.bonus))
    select string_agg(line, '') into lines from (
      select sync_line(workspace_id, 'b:' || workspace_id, 'wallet', workspace_id::text, false)
        from changed
      union all 
  select sync_line(m.workspace_id, 'u:' || m.id, 'user', m.id::text, false)
    from (select distinct workspace_id from changed) c,
      lateral (select * from membership m where m.workspace_id = c.workspace_id offset 0) m) x(line);
        end case;
        perform sync_touch(lines);
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.sync_credits_transaction()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare lines text;
      begin
        case tg_op
        when 'INSERT' then 
    with changed as materialized (select n.*, n, null::credits_transaction as o, false as gone, 'INSERT' as op from new_rows n)
    select string_agg(line, '') into lines from (
      select sync_line(workspace_id, 'b:' || workspace_id, 'transaction', id::text, gone) from changed
      union all
      select distinct sync_line(workspace_id, 'b:' || workspace_id, 'wallet', workspace_id::text, false)
        from changed
      union all 
  select sync_line(m.workspace_id, 'u:' || m.id, 'user', m.id::text, false)
    from (select distinct workspace_id from changed) c,
      lateral (select * from membership m where m.workspace_id = c.workspace_id offset 0) m) x(line);
        when 'DELETE' then 
    with changed as materialized (select o.*, null::credits_transaction as n, o, true as gone, 'DELETE' as op from old_rows o)
    select string_agg(line, '') into lines from (
      select sync_line(workspace_id, 'b:' || workspace_id, 'transaction', id::text, gone) from changed
      union all
      select distinct sync_line(workspace_id, 'b:' || workspace_id, 'wallet', workspace_id::text, false)
        from changed
      union all 
  select sync_line(m.workspace_id, 'u:' || m.id, 'user', m.id::text, false)
    from (select distinct workspace_id from changed) c,
      lateral (select * from membership m where m.workspace_id = c.workspace_id offset 0) m) x(line);
        when 'UPDATE' then 
    with changed as materialized (select n.*, n, o, false as gone, 'UPDATE' as op from new_rows n full join old_rows o on o.workspace_id = n.workspace_id and o.id = n.id
           where (n.card_id, n.ig_username, n.description, n.amount_cents, n.created_at) is distinct from (o.card_id, o.ig_username, o.description, o.amount_cents, o.created_at))
    select string_agg(line, '') into lines from (
      select sync_line(workspace_id, 'b:' || workspace_id, 'transaction', id::text, gone) from changed
      union all
      select distinct sync_line(workspace_id, 'b:' || workspace_id, 'wallet', workspace_id::text, false)
        from changed
      union all 
  select sync_line(m.workspace_id, 'u:' || m.id, 'user', m.id::text, false)
    from (select distinct workspace_id from changed) c,
      lateral (select * from membership m where m.workspace_id = c.workspace_id offset 0) m) x(line);
        end case;
        perform sync_touch(lines);
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.sync_flush()
 RETURNS TABLE(scope text, v bigint)
 LANGUAGE plpgsql
AS $function$
  #variable_conflict use_column
  declare pending text := current_setting('sync.pending', true);
  begin
    if pending is null or pending = '' then return; end if;
    perform set_config('sync.pending', '', true);
    return query
    with line as (
      select split_part(l, E'\t', 1)::uuid as workspace, split_part(l, E'\t', 2) as name,
        split_part(l, E'\t', 3) as entity, split_part(l, E'\t', 4) as id,
        split_part(l, E'\t', 5) = 'd' as is_gone, nr
      from string_to_table(rtrim(pending, E'\n'), E'\n') with ordinality as t(l, nr) where split_part(l, E'\t', 3) <> 'rights'
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
          when touched.entity in ('account', 'post')
            then r.id::text = split_part(touched.id, '/', 1)
          when touched.entity = 'order' then exists (select from like_order o
            where o.workspace_id = workspace and o.id = touched.id::uuid and o.account_id = r.id)
          else false end)
      from touched join head on head.scope = name
      on conflict (workspace_id, scope, entity, id) do update
        set v = excluded.v, deleted = excluded.deleted, deleted_at = null
    )
    select head.scope::text, head.v from head order by 1;
    return query select * from sync_flush_shares(pending);
  end
$function$;

CREATE OR REPLACE FUNCTION public.sync_flush_late()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  declare heads text;
  begin
    perform set_config('sync.marked', '', true);
    select string_agg(scope || '=' || v, ',') into heads from sync_flush();
    if heads is not null then
      perform pg_notify('ovation_sync', case when length(heads) < 7900 then heads else '*' end);
    end if;
    return null;
  end
$function$;

CREATE OR REPLACE FUNCTION public.sync_flush_shares(pending text)
 RETURNS TABLE(scope text, v bigint)
 LANGUAGE plpgsql
AS $function$
  #variable_conflict use_column
  declare workspaces uuid[];
  begin
    select array_agg(distinct t.workspace order by t.workspace) into workspaces from (
      select split_part(l, E'\t', 1)::uuid as workspace, split_part(l, E'\t', 3) as entity
      from string_to_table(rtrim(pending, E'\n'), E'\n') as l) t
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
        select split_part(l, E'\t', 1)::uuid as workspace, split_part(l, E'\t', 3) as entity,
          split_part(l, E'\t', 4) as id, split_part(l, E'\t', 5) = 'd' as is_gone, nr
        from string_to_table(rtrim(pending, E'\n'), E'\n') with ordinality as t(l, nr)) t
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
          or not exists (select from account a where a.workspace_id = t.workspace and a.id = t.account)
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
$function$;

CREATE OR REPLACE FUNCTION public.sync_ledger_transaction()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare lines text;
      begin
        case tg_op
        when 'INSERT' then 
    with changed as materialized (select n.*, n, null::ledger_transaction as o, false as gone, 'INSERT' as op from new_rows n)
    select string_agg(line, '') into lines from (
      select sync_line(workspace_id, 'b:' || workspace_id, 'ledger', id::text, gone)
        from changed where credits <> 0) x(line);
        when 'DELETE' then 
    with changed as materialized (select o.*, null::ledger_transaction as n, o, true as gone, 'DELETE' as op from old_rows o)
    select string_agg(line, '') into lines from (
      select sync_line(workspace_id, 'b:' || workspace_id, 'ledger', id::text, gone)
        from changed where credits <> 0) x(line);
        when 'UPDATE' then 
    with changed as materialized (select n.*, n, o, false as gone, 'UPDATE' as op from new_rows n full join old_rows o on o.workspace_id = n.workspace_id and o.id = n.id
           where (n.credits) is distinct from (o.credits))
    select string_agg(line, '') into lines from (
      select sync_line(workspace_id, 'b:' || workspace_id, 'ledger', id::text, gone)
        from changed where credits <> 0) x(line);
        end case;
        perform sync_touch(lines);
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.sync_like_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare lines text;
      begin
        case tg_op
        when 'INSERT' then 
    with changed as materialized (select n.*, n, null::like_order as o, false as gone, 'INSERT' as op from new_rows n)
    select string_agg(line, '') into lines from (
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
        where coalesce((c.n).delivered, 0) <> coalesce((c.o).delivered, 0)) x(line);
        when 'DELETE' then 
    with changed as materialized (select o.*, null::like_order as n, o, true as gone, 'DELETE' as op from old_rows o)
    select string_agg(line, '') into lines from (
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
        where coalesce((c.n).delivered, 0) <> coalesce((c.o).delivered, 0)) x(line);
        when 'UPDATE' then 
    with changed as materialized (select n.*, n, o, false as gone, 'UPDATE' as op from new_rows n full join old_rows o on o.workspace_id = n.workspace_id and o.id = n.id
           where (n.kind, n.ig_id, n.shortcode, n.state, n.reason, n.speed, n.start_count, n.ordered, n.bonus, n.delivered, n.remains, n.views, n.views_delivered, n.posted_at, n.detected_at, n.started_at, n.finished_at, n.finish_by, n.credits_returned) is distinct from (o.kind, o.ig_id, o.shortcode, o.state, o.reason, o.speed, o.start_count, o.ordered, o.bonus, o.delivered, o.remains, o.views, o.views_delivered, o.posted_at, o.detected_at, o.started_at, o.finished_at, o.finish_by, o.credits_returned))
    select string_agg(line, '') into lines from (
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
        where coalesce((c.n).delivered, 0) <> coalesce((c.o).delivered, 0)) x(line);
        end case;
        perform sync_touch(lines);
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.sync_line(workspace uuid, scope text, entity text, id text, is_gone boolean)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select workspace || E'\t' || scope || E'\t' || entity || E'\t' || id
    || case when is_gone then E'\td\n' else E'\t\n' end
$function$;

CREATE OR REPLACE FUNCTION public.sync_mark()
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
  begin
    if current_setting('sync.marked', true) = 'on' then return false; end if;
    perform set_config('sync.marked', 'on', true);
    return true;
  end
$function$;

CREATE OR REPLACE FUNCTION public.sync_membership()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare lines text;
      begin
        case tg_op
        when 'INSERT' then 
    with changed as materialized (select n.*, n, null::membership as o, false as gone, 'INSERT' as op from new_rows n)
    select string_agg(line, '') into lines from (
      select sync_line(workspace_id, 'u:' || id, 'user', id::text, gone) from changed where id is not null
      union all
      select sync_line(r.workspace_id, 'u:' || r.id, 'user', r.id::text, false)
        from changed c, lateral (select * from membership r
          where r.home_workspace_id = c.home_workspace_id and r.user_id = c.user_id offset 0) r
      union all
      select sync_line(r.workspace_id, 'u:' || r.id, 'user', r.id::text, false)
        from changed c, lateral (select * from membership t
          where t.workspace_id = c.workspace_id offset 0) t,
        lateral (select * from membership r
          where r.home_workspace_id = t.home_workspace_id and r.user_id = t.user_id offset 0) r) x(line);
        when 'DELETE' then 
    with changed as materialized (select o.*, null::membership as n, o, true as gone, 'DELETE' as op from old_rows o)
    select string_agg(line, '') into lines from (
      select sync_line(workspace_id, 'u:' || id, 'user', id::text, gone) from changed where id is not null
      union all
      select sync_line(r.workspace_id, 'u:' || r.id, 'user', r.id::text, false)
        from changed c, lateral (select * from membership r
          where r.home_workspace_id = c.home_workspace_id and r.user_id = c.user_id offset 0) r
      union all
      select sync_line(r.workspace_id, 'u:' || r.id, 'user', r.id::text, false)
        from changed c, lateral (select * from membership t
          where t.workspace_id = c.workspace_id offset 0) t,
        lateral (select * from membership r
          where r.home_workspace_id = t.home_workspace_id and r.user_id = t.user_id offset 0) r) x(line);
        when 'UPDATE' then 
    with changed as materialized (select n.*, n, o, false as gone, 'UPDATE' as op from new_rows n full join old_rows o on o.workspace_id = n.workspace_id and o.user_id = n.user_id
           where (n.role, n.all_clients, n.spend_limit_cents, n.home_workspace_id) is distinct from (o.role, o.all_clients, o.spend_limit_cents, o.home_workspace_id))
    select string_agg(line, '') into lines from (
      select sync_line(workspace_id, 'u:' || id, 'user', id::text, gone) from changed where id is not null
      union all
      select sync_line(r.workspace_id, 'u:' || r.id, 'user', r.id::text, false)
        from changed c, lateral (select * from membership r
          where r.home_workspace_id = c.home_workspace_id and r.user_id = c.user_id offset 0) r
      union all
      select sync_line(r.workspace_id, 'u:' || r.id, 'user', r.id::text, false)
        from changed c, lateral (select * from membership t
          where t.workspace_id = c.workspace_id offset 0) t,
        lateral (select * from membership r
          where r.home_workspace_id = t.home_workspace_id and r.user_id = t.user_id offset 0) r) x(line);
        end case;
        perform sync_touch(lines);
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.sync_post()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare lines text;
      begin
        case tg_op
        when 'INSERT' then 
    with changed as materialized (select n.*, n, null::post as o, false as gone, 'INSERT' as op from new_rows n)
    select string_agg(line, '') into lines from (
      select sync_line(workspace_id, 'w:' || workspace_id, 'post', account_id || '/' || id, gone)
        from changed) x(line);
        when 'DELETE' then 
    with changed as materialized (select o.*, null::post as n, o, true as gone, 'DELETE' as op from old_rows o)
    select string_agg(line, '') into lines from (
      select sync_line(workspace_id, 'w:' || workspace_id, 'post', account_id || '/' || id, gone)
        from changed) x(line);
        when 'UPDATE' then 
    with changed as materialized (select n.*, n, o, false as gone, 'UPDATE' as op from new_rows n full join old_rows o on o.workspace_id = n.workspace_id and o.account_id = n.account_id and o.id = n.id
           where (n.shortcode, n.media_type, n.caption, n.permalink, n.taken_at, n.list_position, n.like_count, n.comment_count, n.detected_at, n.deleted_at, n.automatic_outcome, n.organic_likes, n.lost_likes) is distinct from (o.shortcode, o.media_type, o.caption, o.permalink, o.taken_at, o.list_position, o.like_count, o.comment_count, o.detected_at, o.deleted_at, o.automatic_outcome, o.organic_likes, o.lost_likes))
    select string_agg(line, '') into lines from (
      select sync_line(workspace_id, 'w:' || workspace_id, 'post', account_id || '/' || id, gone)
        from changed) x(line);
        end case;
        perform sync_touch(lines);
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.sync_refund_request()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare lines text;
      begin
        case tg_op
        when 'INSERT' then 
    with changed as materialized (select n.*, n, null::refund_request as o, false as gone, 'INSERT' as op from new_rows n)
    select string_agg(line, '') into lines from (
      select sync_line(s.workspace_id, 'w:' || s.workspace_id, 'account', s.account_id::text, false)
        from changed c, lateral (select * from subscription s
          where s.workspace_id = c.workspace_id and s.id = c.subscription_id offset 0) s) x(line);
        when 'DELETE' then 
    with changed as materialized (select o.*, null::refund_request as n, o, true as gone, 'DELETE' as op from old_rows o)
    select string_agg(line, '') into lines from (
      select sync_line(s.workspace_id, 'w:' || s.workspace_id, 'account', s.account_id::text, false)
        from changed c, lateral (select * from subscription s
          where s.workspace_id = c.workspace_id and s.id = c.subscription_id offset 0) s) x(line);
        when 'UPDATE' then 
    with changed as materialized (select n.*, n, o, false as gone, 'UPDATE' as op from new_rows n full join old_rows o on o.workspace_id = n.workspace_id and o.subscription_id = n.subscription_id
           where (n.state) is distinct from (o.state))
    select string_agg(line, '') into lines from (
      select sync_line(s.workspace_id, 'w:' || s.workspace_id, 'account', s.account_id::text, false)
        from changed c, lateral (select * from subscription s
          where s.workspace_id = c.workspace_id and s.id = c.subscription_id offset 0) s) x(line);
        end case;
        perform sync_touch(lines);
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.sync_rights()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  declare
    workspace uuid := coalesce(new.workspace_id, old.workspace_id);
    person uuid := coalesce(new.user_id, old.user_id);
  begin
    perform sync_touch((
      select sync_line(workspace, 'u:' || m.id, 'user', m.id::text, false)
        || sync_line(workspace, 'g:' || m.id, 'rights', m.id::text, false)
      from membership m where m.workspace_id = workspace and m.user_id = person));
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION public.sync_session()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare lines text;
      begin
        case tg_op
        when 'INSERT' then 
    with changed as materialized (select n.*, n, null::session as o, false as gone, 'INSERT' as op from new_rows n)
    select string_agg(line, '') into lines from (
      select sync_line(m.workspace_id, 'u:' || m.id, 'device', c.id::text,
        c.gone or (c.n).ended_at is not null)
        from changed c, 
  lateral (select * from membership m
    where m.home_workspace_id = c.workspace_id and m.user_id = c.user_id offset 0) m) x(line);
        when 'DELETE' then 
    with changed as materialized (select o.*, null::session as n, o, true as gone, 'DELETE' as op from old_rows o)
    select string_agg(line, '') into lines from (
      select sync_line(m.workspace_id, 'u:' || m.id, 'device', c.id::text,
        c.gone or (c.n).ended_at is not null)
        from changed c, 
  lateral (select * from membership m
    where m.home_workspace_id = c.workspace_id and m.user_id = c.user_id offset 0) m) x(line);
        when 'UPDATE' then 
    with changed as materialized (select n.*, n, o, false as gone, 'UPDATE' as op from new_rows n full join old_rows o on o.workspace_id = n.workspace_id and o.id = n.id
           where (n.user_agent, n.expires_at, n.ended_at) is distinct from (o.user_agent, o.expires_at, o.ended_at))
    select string_agg(line, '') into lines from (
      select sync_line(m.workspace_id, 'u:' || m.id, 'device', c.id::text,
        c.gone or (c.n).ended_at is not null)
        from changed c, 
  lateral (select * from membership m
    where m.home_workspace_id = c.workspace_id and m.user_id = c.user_id offset 0) m) x(line);
        end case;
        perform sync_touch(lines);
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.sync_subscription()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare lines text;
      begin
        case tg_op
        when 'INSERT' then 
    with changed as materialized (select n.*, n, null::subscription as o, false as gone, 'INSERT' as op from new_rows n)
    select string_agg(line, '') into lines from (
      select distinct sync_line(c.workspace_id, 'w:' || c.workspace_id, 'account', a::text, false)
        from changed c, unnest(array[(c.n).account_id, (c.o).account_id]) a
        where a is not null
      union all 
  select sync_line(m.workspace_id, 'u:' || m.id, 'user', m.id::text, false)
    from (select distinct workspace_id from changed) c,
      lateral (select * from membership m where m.workspace_id = c.workspace_id offset 0) m) x(line);
        when 'DELETE' then 
    with changed as materialized (select o.*, null::subscription as n, o, true as gone, 'DELETE' as op from old_rows o)
    select string_agg(line, '') into lines from (
      select distinct sync_line(c.workspace_id, 'w:' || c.workspace_id, 'account', a::text, false)
        from changed c, unnest(array[(c.n).account_id, (c.o).account_id]) a
        where a is not null
      union all 
  select sync_line(m.workspace_id, 'u:' || m.id, 'user', m.id::text, false)
    from (select distinct workspace_id from changed) c,
      lateral (select * from membership m where m.workspace_id = c.workspace_id offset 0) m) x(line);
        when 'UPDATE' then 
    with changed as materialized (select n.*, n, o, false as gone, 'UPDATE' as op from new_rows n full join old_rows o on o.workspace_id = n.workspace_id and o.id = n.id
           where (to_jsonb(n) - '{fence,next_action_at,reminded_for,retry_at,baseline_read_at,baseline_post_ids}'::text[]) is distinct from (to_jsonb(o) - '{fence,next_action_at,reminded_for,retry_at,baseline_read_at,baseline_post_ids}'::text[]))
    select string_agg(line, '') into lines from (
      select distinct sync_line(c.workspace_id, 'w:' || c.workspace_id, 'account', a::text, false)
        from changed c, unnest(array[(c.n).account_id, (c.o).account_id]) a
        where a is not null
      union all 
  select sync_line(m.workspace_id, 'u:' || m.id, 'user', m.id::text, false)
    from (select distinct workspace_id from changed) c,
      lateral (select * from membership m where m.workspace_id = c.workspace_id offset 0) m) x(line);
        end case;
        perform sync_touch(lines);
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION public.sync_touch(lines text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
  begin
    if lines is null then return; end if;
    perform set_config('sync.pending', concat(current_setting('sync.pending', true), lines), true);
  end
$function$;

CREATE OR REPLACE FUNCTION public.sync_user_preference()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare lines text;
      begin
        case tg_op
        when 'INSERT' then 
    with changed as materialized (select n.*, n, null::user_preference as o, false as gone, 'INSERT' as op from new_rows n)
    select string_agg(line, '') into lines from (
      select sync_line(m.workspace_id, 'u:' || m.id, 'user', m.id::text, false)
        from changed c, lateral (select * from membership m
          where m.workspace_id = c.workspace_id and m.user_id = c.user_id offset 0) m) x(line);
        when 'DELETE' then 
    with changed as materialized (select o.*, null::user_preference as n, o, true as gone, 'DELETE' as op from old_rows o)
    select string_agg(line, '') into lines from (
      select sync_line(m.workspace_id, 'u:' || m.id, 'user', m.id::text, false)
        from changed c, lateral (select * from membership m
          where m.workspace_id = c.workspace_id and m.user_id = c.user_id offset 0) m) x(line);
        when 'UPDATE' then 
    with changed as materialized (select n.*, n, o, false as gone, 'UPDATE' as op from new_rows n full join old_rows o on o.workspace_id = n.workspace_id and o.user_id = n.user_id
           where (n.density, n.active_account_id, n.pinned_account_ids, n.likes_done_mail) is distinct from (o.density, o.active_account_id, o.pinned_account_ids, o.likes_done_mail))
    select string_agg(line, '') into lines from (
      select sync_line(m.workspace_id, 'u:' || m.id, 'user', m.id::text, false)
        from changed c, lateral (select * from membership m
          where m.workspace_id = c.workspace_id and m.user_id = c.user_id offset 0) m) x(line);
        end case;
        perform sync_touch(lines);
        return null;
      end $function$;

CREATE TRIGGER sync_delete AFTER DELETE ON public.account REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_account();

CREATE TRIGGER sync_insert AFTER INSERT ON public.account REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_account();

CREATE CONSTRAINT TRIGGER sync_late AFTER INSERT OR DELETE ON public.account DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (sync_mark()) EXECUTE FUNCTION sync_flush_late();

CREATE CONSTRAINT TRIGGER sync_late_update AFTER UPDATE ON public.account DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((old.ig_username IS DISTINCT FROM new.ig_username) OR (old.ig_id IS DISTINCT FROM new.ig_id) OR ((old.profile_picture_url IS NULL) IS DISTINCT FROM (new.profile_picture_url IS NULL)) OR (old.problem IS DISTINCT FROM new.problem) OR (old.followers IS DISTINCT FROM new.followers) OR (old.automatic_likes IS DISTINCT FROM new.automatic_likes) OR (old.speed IS DISTINCT FROM new.speed) OR (old.range_min IS DISTINCT FROM new.range_min) OR (old.range_max IS DISTINCT FROM new.range_max) OR ((old.tags IS DISTINCT FROM new.tags) OR (old.client_id IS DISTINCT FROM new.client_id)) OR (old.created_at IS DISTINCT FROM new.created_at) OR (old.removed_at IS DISTINCT FROM new.removed_at)) AND sync_mark())) EXECUTE FUNCTION sync_flush_late();

CREATE TRIGGER sync_update AFTER UPDATE ON public.account REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_account();

CREATE CONSTRAINT TRIGGER sync_late AFTER INSERT OR DELETE OR UPDATE ON public.account_view DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (sync_mark()) EXECUTE FUNCTION sync_flush_late();

CREATE TRIGGER sync_view AFTER INSERT OR DELETE OR UPDATE ON public.account_view FOR EACH ROW EXECUTE FUNCTION sync_account_view();

CREATE TRIGGER sync_choice AFTER INSERT OR UPDATE OF read_until, mutes, mail_hour ON public.alert_choice FOR EACH ROW EXECUTE FUNCTION sync_alert_choice();

CREATE CONSTRAINT TRIGGER sync_late AFTER INSERT OR UPDATE OF read_until, mutes, mail_hour ON public.alert_choice DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (sync_mark()) EXECUTE FUNCTION sync_flush_late();

CREATE TRIGGER sync_delete AFTER DELETE ON public.app_user REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_app_user();

CREATE TRIGGER sync_insert AFTER INSERT ON public.app_user REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_app_user();

CREATE CONSTRAINT TRIGGER sync_late AFTER INSERT OR DELETE ON public.app_user DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (sync_mark()) EXECUTE FUNCTION sync_flush_late();

CREATE CONSTRAINT TRIGGER sync_late_update AFTER UPDATE ON public.app_user DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((((((old.name IS DISTINCT FROM new.name) OR (old.email IS DISTINCT FROM new.email)) OR (old.phone IS DISTINCT FROM new.phone)) OR (old.package IS DISTINCT FROM new.package)) OR (old.time_zone IS DISTINCT FROM new.time_zone)) OR (old.default_account_id IS DISTINCT FROM new.default_account_id)) AND sync_mark())) EXECUTE FUNCTION sync_flush_late();

CREATE TRIGGER sync_update AFTER UPDATE ON public.app_user REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_app_user();

CREATE CONSTRAINT TRIGGER sync_late AFTER INSERT OR DELETE OR UPDATE ON public.budget DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (sync_mark()) EXECUTE FUNCTION sync_flush_late();

CREATE TRIGGER sync_wallet AFTER INSERT OR DELETE OR UPDATE ON public.budget FOR EACH ROW EXECUTE FUNCTION sync_budget();

CREATE CONSTRAINT TRIGGER sync_late AFTER INSERT OR DELETE OR UPDATE ON public.budget_notice DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (sync_mark()) EXECUTE FUNCTION sync_flush_late();

CREATE TRIGGER sync_wallet AFTER INSERT OR DELETE OR UPDATE ON public.budget_notice FOR EACH ROW EXECUTE FUNCTION sync_budget();

CREATE TRIGGER sync_delete AFTER DELETE ON public.card REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_card();

CREATE TRIGGER sync_insert AFTER INSERT ON public.card REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_card();

CREATE CONSTRAINT TRIGGER sync_late AFTER INSERT OR DELETE ON public.card DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (sync_mark()) EXECUTE FUNCTION sync_flush_late();

CREATE CONSTRAINT TRIGGER sync_late_update AFTER UPDATE ON public.card DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((((((old.brand IS DISTINCT FROM new.brand) OR (old.last_digits IS DISTINCT FROM new.last_digits)) OR (old.holder_name IS DISTINCT FROM new.holder_name)) OR (old.exp_month IS DISTINCT FROM new.exp_month)) OR (old.exp_year IS DISTINCT FROM new.exp_year)) OR (old.in_use_since IS DISTINCT FROM new.in_use_since)) AND sync_mark())) EXECUTE FUNCTION sync_flush_late();

CREATE TRIGGER sync_update AFTER UPDATE ON public.card REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_card();

CREATE CONSTRAINT TRIGGER sync_late AFTER UPDATE OF name ON public.client DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (sync_mark()) EXECUTE FUNCTION sync_flush_late();

CREATE TRIGGER sync_name AFTER UPDATE OF name ON public.client FOR EACH ROW EXECUTE FUNCTION sync_client_name();

CREATE CONSTRAINT TRIGGER sync_late AFTER INSERT OR DELETE OR UPDATE ON public.client_grant DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (sync_mark()) EXECUTE FUNCTION sync_flush_late();

CREATE TRIGGER sync_rights AFTER INSERT OR DELETE OR UPDATE ON public.client_grant FOR EACH ROW EXECUTE FUNCTION sync_rights();

CREATE TRIGGER sync_delete AFTER DELETE ON public.credit_balance REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_credit_balance();

CREATE TRIGGER sync_insert AFTER INSERT ON public.credit_balance REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_credit_balance();

CREATE CONSTRAINT TRIGGER sync_late AFTER INSERT OR DELETE ON public.credit_balance DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (sync_mark()) EXECUTE FUNCTION sync_flush_late();

CREATE CONSTRAINT TRIGGER sync_late_update AFTER UPDATE ON public.credit_balance DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((old.balance IS DISTINCT FROM new.balance) OR (old.bonus IS DISTINCT FROM new.bonus)) AND sync_mark())) EXECUTE FUNCTION sync_flush_late();

CREATE TRIGGER sync_update AFTER UPDATE ON public.credit_balance REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_credit_balance();

CREATE TRIGGER sync_delete AFTER DELETE ON public.credits_transaction REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_credits_transaction();

CREATE TRIGGER sync_insert AFTER INSERT ON public.credits_transaction REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_credits_transaction();

CREATE CONSTRAINT TRIGGER sync_late AFTER INSERT OR DELETE ON public.credits_transaction DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (sync_mark()) EXECUTE FUNCTION sync_flush_late();

CREATE CONSTRAINT TRIGGER sync_late_update AFTER UPDATE ON public.credits_transaction DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((((((old.card_id IS DISTINCT FROM new.card_id) OR (old.ig_username IS DISTINCT FROM new.ig_username)) OR (old.description IS DISTINCT FROM new.description)) OR (old.amount_cents IS DISTINCT FROM new.amount_cents)) OR (old.created_at IS DISTINCT FROM new.created_at)) AND sync_mark())) EXECUTE FUNCTION sync_flush_late();

CREATE TRIGGER sync_update AFTER UPDATE ON public.credits_transaction REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_credits_transaction();

CREATE TRIGGER sync_delete AFTER DELETE ON public.ledger_transaction REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_ledger_transaction();

CREATE TRIGGER sync_insert AFTER INSERT ON public.ledger_transaction REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_ledger_transaction();

CREATE CONSTRAINT TRIGGER sync_late AFTER INSERT OR DELETE ON public.ledger_transaction DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (sync_mark()) EXECUTE FUNCTION sync_flush_late();

CREATE CONSTRAINT TRIGGER sync_late_update AFTER UPDATE ON public.ledger_transaction DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.credits IS DISTINCT FROM new.credits) AND sync_mark())) EXECUTE FUNCTION sync_flush_late();

CREATE TRIGGER sync_update AFTER UPDATE ON public.ledger_transaction REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_ledger_transaction();

CREATE TRIGGER sync_delete AFTER DELETE ON public.like_order REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_like_order();

CREATE TRIGGER sync_insert AFTER INSERT ON public.like_order REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_like_order();

CREATE CONSTRAINT TRIGGER sync_late AFTER INSERT OR DELETE ON public.like_order DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (sync_mark()) EXECUTE FUNCTION sync_flush_late();

CREATE CONSTRAINT TRIGGER sync_late_update AFTER UPDATE ON public.like_order DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((((((((((((((((((((old.kind IS DISTINCT FROM new.kind) OR (old.ig_id IS DISTINCT FROM new.ig_id)) OR (old.shortcode IS DISTINCT FROM new.shortcode)) OR (old.state IS DISTINCT FROM new.state)) OR (old.reason IS DISTINCT FROM new.reason)) OR (old.speed IS DISTINCT FROM new.speed)) OR (old.start_count IS DISTINCT FROM new.start_count)) OR (old.ordered IS DISTINCT FROM new.ordered)) OR (old.bonus IS DISTINCT FROM new.bonus)) OR (old.delivered IS DISTINCT FROM new.delivered)) OR (old.remains IS DISTINCT FROM new.remains)) OR (old.views IS DISTINCT FROM new.views)) OR (old.views_delivered IS DISTINCT FROM new.views_delivered)) OR (old.posted_at IS DISTINCT FROM new.posted_at)) OR (old.detected_at IS DISTINCT FROM new.detected_at)) OR (old.started_at IS DISTINCT FROM new.started_at)) OR (old.finished_at IS DISTINCT FROM new.finished_at)) OR (old.finish_by IS DISTINCT FROM new.finish_by)) OR (old.credits_returned IS DISTINCT FROM new.credits_returned)) AND sync_mark())) EXECUTE FUNCTION sync_flush_late();

CREATE TRIGGER sync_update AFTER UPDATE ON public.like_order REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_like_order();

CREATE TRIGGER sync_delete AFTER DELETE ON public.membership REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_membership();

CREATE TRIGGER sync_insert AFTER INSERT ON public.membership REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_membership();

CREATE CONSTRAINT TRIGGER sync_late AFTER INSERT OR DELETE ON public.membership DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (sync_mark()) EXECUTE FUNCTION sync_flush_late();

CREATE CONSTRAINT TRIGGER sync_late_update AFTER UPDATE ON public.membership DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((((old.role IS DISTINCT FROM new.role) OR (old.all_clients IS DISTINCT FROM new.all_clients)) OR (old.spend_limit_cents IS DISTINCT FROM new.spend_limit_cents)) OR (old.home_workspace_id IS DISTINCT FROM new.home_workspace_id)) AND sync_mark())) EXECUTE FUNCTION sync_flush_late();

CREATE TRIGGER sync_rights AFTER UPDATE OF all_clients ON public.membership FOR EACH ROW EXECUTE FUNCTION sync_rights();

CREATE TRIGGER sync_update AFTER UPDATE ON public.membership REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_membership();

CREATE TRIGGER sync_delete AFTER DELETE ON public.post REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_post();

CREATE TRIGGER sync_insert AFTER INSERT ON public.post REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_post();

CREATE CONSTRAINT TRIGGER sync_late AFTER INSERT OR DELETE ON public.post DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (sync_mark()) EXECUTE FUNCTION sync_flush_late();

CREATE CONSTRAINT TRIGGER sync_late_update AFTER UPDATE ON public.post DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((((((((((((((old.shortcode IS DISTINCT FROM new.shortcode) OR (old.media_type IS DISTINCT FROM new.media_type)) OR (old.caption IS DISTINCT FROM new.caption)) OR (old.permalink IS DISTINCT FROM new.permalink)) OR (old.taken_at IS DISTINCT FROM new.taken_at)) OR (old.list_position IS DISTINCT FROM new.list_position)) OR (old.like_count IS DISTINCT FROM new.like_count)) OR (old.comment_count IS DISTINCT FROM new.comment_count)) OR (old.detected_at IS DISTINCT FROM new.detected_at)) OR (old.deleted_at IS DISTINCT FROM new.deleted_at)) OR (old.automatic_outcome IS DISTINCT FROM new.automatic_outcome)) OR (old.organic_likes IS DISTINCT FROM new.organic_likes)) OR (old.lost_likes IS DISTINCT FROM new.lost_likes)) AND sync_mark())) EXECUTE FUNCTION sync_flush_late();

CREATE TRIGGER sync_update AFTER UPDATE ON public.post REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_post();

CREATE TRIGGER sync_delete AFTER DELETE ON public.refund_request REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_refund_request();

CREATE TRIGGER sync_insert AFTER INSERT ON public.refund_request REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_refund_request();

CREATE CONSTRAINT TRIGGER sync_late AFTER INSERT OR DELETE ON public.refund_request DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (sync_mark()) EXECUTE FUNCTION sync_flush_late();

CREATE CONSTRAINT TRIGGER sync_late_update AFTER UPDATE ON public.refund_request DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.state IS DISTINCT FROM new.state) AND sync_mark())) EXECUTE FUNCTION sync_flush_late();

CREATE TRIGGER sync_update AFTER UPDATE ON public.refund_request REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_refund_request();

CREATE TRIGGER sync_delete AFTER DELETE ON public.session REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_session();

CREATE TRIGGER sync_insert AFTER INSERT ON public.session REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_session();

CREATE CONSTRAINT TRIGGER sync_late AFTER INSERT OR DELETE ON public.session DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (sync_mark()) EXECUTE FUNCTION sync_flush_late();

CREATE CONSTRAINT TRIGGER sync_late_update AFTER UPDATE ON public.session DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((((old.user_agent IS DISTINCT FROM new.user_agent) OR (old.expires_at IS DISTINCT FROM new.expires_at)) OR (old.ended_at IS DISTINCT FROM new.ended_at)) AND sync_mark())) EXECUTE FUNCTION sync_flush_late();

CREATE TRIGGER sync_update AFTER UPDATE ON public.session REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_session();

CREATE TRIGGER sync_delete AFTER DELETE ON public.subscription REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_subscription();

CREATE TRIGGER sync_insert AFTER INSERT ON public.subscription REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_subscription();

CREATE CONSTRAINT TRIGGER sync_late AFTER INSERT OR DELETE ON public.subscription DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (sync_mark()) EXECUTE FUNCTION sync_flush_late();

CREATE CONSTRAINT TRIGGER sync_late_update AFTER UPDATE ON public.subscription DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((to_jsonb(old.*) - '{fence,next_action_at,reminded_for,retry_at,baseline_read_at,baseline_post_ids}'::text[]) IS DISTINCT FROM (to_jsonb(new.*) - '{fence,next_action_at,reminded_for,retry_at,baseline_read_at,baseline_post_ids}'::text[])) AND sync_mark())) EXECUTE FUNCTION sync_flush_late();

CREATE TRIGGER sync_update AFTER UPDATE ON public.subscription REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_subscription();

CREATE TRIGGER sync_delete AFTER DELETE ON public.user_preference REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_user_preference();

CREATE TRIGGER sync_insert AFTER INSERT ON public.user_preference REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_user_preference();

CREATE CONSTRAINT TRIGGER sync_late AFTER INSERT OR DELETE ON public.user_preference DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (sync_mark()) EXECUTE FUNCTION sync_flush_late();

CREATE CONSTRAINT TRIGGER sync_late_update AFTER UPDATE ON public.user_preference DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((((old.density IS DISTINCT FROM new.density) OR (old.active_account_id IS DISTINCT FROM new.active_account_id)) OR (old.pinned_account_ids IS DISTINCT FROM new.pinned_account_ids)) OR (old.likes_done_mail IS DISTINCT FROM new.likes_done_mail)) AND sync_mark())) EXECUTE FUNCTION sync_flush_late();

CREATE TRIGGER sync_update AFTER UPDATE ON public.user_preference REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_user_preference();
