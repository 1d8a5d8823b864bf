-- When a dispute stopped the plan of its payment: won, the plan goes on for the days that were left. Null: it stopped none.
alter table dispute add column stopped_at timestamptz;

-- When what is kept of a saved card is read at the gateway again: its bank may have given it another number or date.
alter table card add column refresh_at timestamptz;
create index card_to_refresh on card (refresh_at) where refresh_at is not null;
