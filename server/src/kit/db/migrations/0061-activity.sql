-- Who did what, to be read by those who work in a workspace (docs/decisions/0048-activity.md). Entries of before have
-- neither: what a chain says is never written anew.

alter table audit_event add column operation_id uuid, add column account_id uuid;
create index audit_event_by_account on audit_event (workspace_id, account_id, seq desc)
  where account_id is not null;
create index audit_event_by_actor on audit_event (workspace_id, actor, seq desc);

-- The account that an entry is about, by the id of whatever it was done to.
create function audit_account(workspace uuid, subject text) returns uuid language plpgsql stable as $$
  declare
    known uuid;
    found_id uuid;
  begin
    if subject is null or subject !~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' then
      return null;
    end if;
    known := subject::uuid;
    select id into found_id from account where workspace_id = workspace and id = known;
    if found_id is not null then return found_id; end if;
    select account_id into found_id from subscription where workspace_id = workspace and id = known;
    if found_id is not null then return found_id; end if;
    select account_id into found_id from like_order where workspace_id = workspace and id = known;
    if found_id is not null then return found_id; end if;
    select s.account_id into found_id from charge c
      join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
      join subscription s on s.workspace_id = i.workspace_id and s.id = i.subscription_id
      where c.workspace_id = workspace
        and c.id = coalesce((select charge_id from refund where workspace_id = workspace and id = known), known);
    return found_id;
  end
$$;
