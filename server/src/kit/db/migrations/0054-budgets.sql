-- What a workspace, or one account of it, may cost in a calendar month. Its id is the workspace's or the account's.
create table budget (
  workspace_id uuid not null references workspace (id) on delete cascade,
  id uuid not null,
  account_id uuid,
  limit_cents integer not null check (limit_cents > 0),
  changed_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, account_id) references account (workspace_id, id) on delete cascade,
  check (id = coalesce(account_id, workspace_id))
);

-- That somebody was told, once for each month and part of the budget.
create table budget_notice (
  workspace_id uuid not null,
  budget_id uuid not null,
  month date not null,
  percent smallint not null check (percent in (80, 100)),
  at timestamptz not null,
  primary key (workspace_id, budget_id, month, percent),
  foreign key (workspace_id, budget_id) references budget (workspace_id, id) on delete cascade
);

create index charge_of_month on charge (workspace_id, created_at);
