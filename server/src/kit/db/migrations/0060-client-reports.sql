-- How a workspace calls itself on the reports it sends (docs/decisions/0047-client-reports.md).
create table report_brand (
  workspace_id uuid primary key references workspace (id) on delete cascade,
  name text not null check (name <> ''),
  -- A PNG that we have made of what was uploaded.
  logo bytea check (length(logo) < 1000000),
  changed_at timestamptz not null
);

-- Who is mailed a client's report each month. Its id is the client's, or the workspace's for all accounts.
create table report_mail (
  workspace_id uuid not null references workspace (id) on delete cascade,
  id uuid not null,
  client_id uuid,
  addresses text[] not null,
  user_ids uuid[] not null,
  -- The month that is mailed next, "2026-10", and when.
  month text not null check (month ~ '^\d{4}-\d\d$'),
  due_at timestamptz not null,
  fence integer not null default 0,
  primary key (workspace_id, id),
  foreign key (workspace_id, client_id) references client (workspace_id, id) on delete cascade,
  check (id = coalesce(client_id, workspace_id)),
  check (cardinality(addresses) + cardinality(user_ids) between 1 and 40)
);
create index report_mail_due on report_mail (due_at);

-- A report that was mailed. Its key is why a client is mailed about a month once.
create table sent_report (
  workspace_id uuid not null references workspace (id) on delete cascade,
  report_id uuid not null,
  month text not null,
  client_id uuid,
  at timestamptz not null,
  title text not null,
  agency text,
  file_name text not null,
  -- Gone once the mails are swept up.
  pdf bytea,
  primary key (workspace_id, report_id, month)
);
create index sent_report_old on sent_report (at) where pdf is not null;
