-- Payments and cards that wait for the customer's bank.

alter table charge drop constraint charge_state_check;
alter table charge add constraint charge_state_check
  check (state in ('created', 'sent', 'needs_action', 'succeeded', 'declined', 'unknown'));
alter table charge add column is_present boolean not null default false;
alter table charge add column sets_up_card boolean not null default false;
alter table charge add column action_url text;
drop index charge_open;
create index charge_open on charge (workspace_id)
  where state in ('created', 'sent', 'needs_action', 'unknown');

create table card_setup (
  workspace_id uuid not null references workspace (id) on delete cascade,
  id uuid not null,
  payment_method_id text,
  state text not null check (state in ('sent', 'needs_action', 'succeeded', 'declined')),
  gateway_setup_id text,
  action_url text,
  decline_code text,
  created_at timestamptz not null,
  settled_at timestamptz,
  next_check_at timestamptz,
  fence integer not null default 0,
  primary key (workspace_id, id)
);
create index card_setup_waiting on card_setup (workspace_id) where state = 'needs_action';
create index card_setup_unsettled on card_setup (next_check_at) where next_check_at is not null;
create index card_setup_by_gateway_id on card_setup (gateway_setup_id)
  where gateway_setup_id is not null;
