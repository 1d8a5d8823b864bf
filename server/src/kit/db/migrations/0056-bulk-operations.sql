-- Changes of many accounts at once (docs/decisions/0043-many-accounts-at-once.md).

create table bulk_operation (
  workspace_id uuid not null references workspace (id),
  id uuid not null,
  state text not null check (state in ('draft', 'running', 'done')),
  started_by uuid not null,
  undo_of uuid,
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (workspace_id, id),
  -- Undone once.
  unique (workspace_id, undo_of),
  check ((state = 'draft') = (started_at is null)),
  check ((state = 'done') = (ended_at is not null))
);
create unique index bulk_operation_one_running on bulk_operation (workspace_id)
  where state = 'running';
create index bulk_operation_by_age on bulk_operation (created_at);

create table bulk_item (
  workspace_id uuid not null,
  operation_id uuid not null,
  position integer not null check (position between 0 and 4999),
  account_id uuid,
  ig_username text not null,
  change jsonb not null,
  -- The plan as whoever planned it saw it; another one, and somebody was faster.
  seen text,
  today_cents integer not null default 0 check (today_cents >= 0),
  month_cents integer not null default 0,
  outcome text not null
    check (outcome in ('planned', 'refused', 'same', 'waiting', 'done', 'failed')),
  code text,
  reason text,
  -- The charge's id, if it costs anything: whoever does it again finds that charge.
  attempt_id uuid not null,
  charged_cents integer not null default 0,
  -- What takes it back, and the plan as it was left; null: it can't be taken back.
  undo jsonb,
  left_as text,
  ended_at timestamptz,
  due_at timestamptz,
  fence integer not null default 0,
  primary key (workspace_id, operation_id, position),
  foreign key (workspace_id, operation_id) references bulk_operation (workspace_id, id)
    on delete cascade,
  check (due_at is null or outcome = 'waiting')
);
create index bulk_item_waiting on bulk_item (workspace_id, operation_id) where outcome = 'waiting';
create index bulk_item_due on bulk_item (due_at) where due_at is not null;
