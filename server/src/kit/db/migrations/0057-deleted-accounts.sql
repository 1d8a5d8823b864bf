-- What members with single clients were told of an account goes with its row, too: sync_flush_shares finds whose
-- accounts are by their rows.

do $$
  declare
    old_text text := pg_get_functiondef('sync_flush_shares(text)'::regprocedure);
    new_text text := replace(old_text, 'where t.account is null', 'where t.account is null
          or not exists (select from account a where a.workspace_id = t.workspace and a.id = t.account)');
  begin
    if new_text = old_text then raise exception 'sync_flush_shares has no such line'; end if;
    execute new_text;
  end
$$;
