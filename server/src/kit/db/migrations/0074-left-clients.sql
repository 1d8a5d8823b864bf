-- Deleted workspaces kept their clients and shared views. Nobody follows their changes any more, so none are logged.
-- A table with changes that are still to be logged can't be altered.
set constraints all immediate;
alter table account disable trigger user;
update account a set client_id = null where client_id is not null
  and not exists (select from membership m where m.workspace_id = a.workspace_id);
alter table account enable trigger user;

delete from account_view v
  where not exists (select from membership m where m.workspace_id = v.workspace_id);
delete from client c
  where not exists (select from membership m where m.workspace_id = c.workspace_id);
