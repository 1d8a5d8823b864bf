-- What one client may cost in a calendar month.
alter table budget drop constraint budget_check;

alter table budget add column client_id uuid,
  add constraint budget_of_client foreign key (workspace_id, client_id)
    references client (workspace_id, id) on delete cascade,
  add constraint budget_of_one check (
    id = coalesce(account_id, client_id, workspace_id) and num_nonnulls(account_id, client_id) < 2);
