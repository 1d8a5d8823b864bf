-- Alerts (docs/decisions/0046-alerts.md).

-- Since when an account can't be read; whoever reads it in between with other trouble doesn't begin it anew.
alter table account add column unreadable_since timestamptz;
update account set unreadable_since = coalesce(last_read_at, created_at) where problem = 'unreadable';

-- At which limit a budget was reached, and when its month ends: a higher limit ends it.
alter table budget_notice add column limit_cents integer, add column until timestamptz;
update budget_notice n set until = n.month + interval '1 month', limit_cents =
  (select b.limit_cents from budget b where b.workspace_id = n.workspace_id and b.id = n.budget_id);
alter table budget_notice alter column limit_cents set not null, alter column until set not null;

-- What somebody in a workspace has read, what they don't want to hear, and when they are mailed.
create table alert_choice (
  workspace_id uuid not null,
  user_id uuid not null,
  read_until timestamptz,
  mutes jsonb not null default '[]',
  mail_hour smallint check (mail_hour between 0 and 23),
  -- When it is looked next whether there is something to mail.
  mail_at timestamptz,
  fence bigint not null default 0,
  -- The person's day of the last mail, and what happened until then was told.
  mailed_on text check (mailed_on ~ '^\d{4}-\d\d-\d\d$'),
  mailed_until timestamptz,
  primary key (workspace_id, user_id),
  foreign key (workspace_id, user_id) references membership (workspace_id, user_id) on delete cascade,
  check (mail_hour is not null or mail_at is null)
);
create index alert_choice_due on alert_choice (mail_at) where mail_at is not null;

create index like_order_ended_early on like_order (workspace_id, finished_at)
  where state in ('Partial', 'Canceled');

create function sync_alert_choice() returns trigger language plpgsql as $$
  begin
    perform sync_touch((
      select string_agg(sync_line(m.workspace_id, 'u:' || m.id, 'user', m.id::text, false), '')
      from membership m where m.workspace_id = new.workspace_id and m.user_id = new.user_id));
    return null;
  end $$;

create trigger sync_choice after insert or update of read_until, mutes, mail_hour on alert_choice
  for each row execute function sync_alert_choice();

create constraint trigger sync_late after insert or update of read_until, mutes, mail_hour on alert_choice
  deferrable initially deferred for each row when (sync_mark()) execute function sync_flush_late();

-- Both stand in the wallet.
create function sync_budget() returns trigger language plpgsql as $$
  declare workspace uuid := coalesce(new.workspace_id, old.workspace_id);
  begin
    perform sync_touch(sync_line(workspace, 'b:' || workspace, 'wallet', workspace::text, false));
    return null;
  end $$;

create trigger sync_wallet after insert or update or delete on budget_notice
  for each row execute function sync_budget();

create constraint trigger sync_late after insert or update or delete on budget_notice
  deferrable initially deferred for each row when (sync_mark()) execute function sync_flush_late();

create trigger sync_wallet after insert or update or delete on budget
  for each row execute function sync_budget();

create constraint trigger sync_late after insert or update or delete on budget
  deferrable initially deferred for each row when (sync_mark()) execute function sync_flush_late();
