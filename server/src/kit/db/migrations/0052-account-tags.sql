-- What a customer calls an account: words of their own, which every copy shows.
alter table account add column tags text[] not null default '{}'
  check (cardinality(tags) <= 20);

-- As before, and tags are seen.
create or replace function sync_account() returns trigger language plpgsql as $$
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
              n.automatic_likes, n.speed, n.range_min, n.range_max, n.tags, n.created_at, n.removed_at)
            is distinct from
            (o.ig_username, o.ig_id, o.profile_picture_url is null, o.problem, o.followers,
              o.automatic_likes, o.speed, o.range_min, o.range_max, o.tags, o.created_at, o.removed_at))
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
  end $$;

drop trigger sync_late_update on account;

create constraint trigger sync_late_update after update on account
  deferrable initially deferred for each row
  when ((old.ig_username, old.ig_id, old.profile_picture_url is null, old.problem, old.followers,
      old.automatic_likes, old.speed, old.range_min, old.range_max, old.tags, old.created_at, old.removed_at)
    is distinct from
    (new.ig_username, new.ig_id, new.profile_picture_url is null, new.problem, new.followers,
      new.automatic_likes, new.speed, new.range_min, new.range_max, new.tags, new.created_at, new.removed_at)
    and sync_mark())
  execute function sync_flush_late();
