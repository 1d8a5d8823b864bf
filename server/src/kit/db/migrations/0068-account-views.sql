-- Views of the table of accounts (docs/decisions/0054-saved-views.md); without a user: the workspace's, which all see.
create table account_view (
  workspace_id uuid not null references workspace (id) on delete cascade,
  id uuid not null,
  user_id uuid,
  name text not null,
  search text not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, user_id) references membership (workspace_id, user_id) on delete cascade
);
create unique index account_view_name
  on account_view (workspace_id, coalesce(user_id, workspace_id), lower(name));

-- They stand in the row of each person who sees them.
create function sync_account_view() returns trigger language plpgsql as $$
  declare
    workspace uuid := coalesce(new.workspace_id, old.workspace_id);
    is_shared boolean := (tg_op <> 'INSERT' and old.user_id is null) or (tg_op <> 'DELETE' and new.user_id is null);
  begin
    perform sync_touch((
      select string_agg(sync_line(m.workspace_id, 'u:' || m.id, 'user', m.id::text, false), '')
      from membership m where m.workspace_id = workspace
        and (is_shared or m.user_id in (old.user_id, new.user_id))));
    return null;
  end $$;

create trigger sync_view after insert or update or delete on account_view
  for each row execute function sync_account_view();

create constraint trigger sync_late after insert or update or delete on account_view
  deferrable initially deferred for each row when (sync_mark()) execute function sync_flush_late();

-- A client's budget that is spent stands in the wallet, with the client's name.
create or replace function sync_client_name() returns trigger language plpgsql as $$
  begin
    perform sync_touch((
      select string_agg(sync_line(a.workspace_id, 'w:' || a.workspace_id, 'account', a.id::text, false), '')
      from account a where a.workspace_id = new.workspace_id and a.client_id = new.id));
    if exists (select from budget where workspace_id = new.workspace_id and client_id = new.id) then
      perform sync_touch(sync_line(new.workspace_id, 'b:' || new.workspace_id, 'wallet', new.workspace_id::text, false));
    end if;
    return null;
  end $$;
