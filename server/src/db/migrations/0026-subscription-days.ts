import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // One row for each local day that is used or given back. Its key is why a day is never both.
  `create table subscription_day (
    workspace_id uuid not null,
    subscription_id uuid not null,
    local_day date not null,
    state text not null check (state in ('ordered', 'pending', 'given', 'dropped')),
    cause text check (cause in
      ('paused', 'past_due', 'unreadable', 'unreachable', 'throttled', 'outage')),
    found_at timestamptz not null,
    era integer,
    period integer,
    primary key (workspace_id, subscription_id, local_day),
    foreign key (workspace_id, subscription_id) references subscription (workspace_id, id)
      on delete cascade,
    check ((state = 'ordered') = (cause is null)),
    check ((state = 'given') = (era is not null and period is not null))
  )`,
  `create index subscription_day_pending on subscription_day (workspace_id, subscription_id)
    where state = 'pending'`,
  `insert into subscription_day
    select workspace_id, subscription_id, local_day::date,
      case state when 'added' then 'given' else state end, cause, found_at, era, period
    from fair_day`,
  `insert into subscription_day (workspace_id, subscription_id, local_day, state, found_at)
    select workspace_id, subscription_id, local_day, 'ordered', min(detected_at)
    from like_order where kind = 'automatic' group by 1, 2, 3
    on conflict (workspace_id, subscription_id, local_day)
      do update set state = 'ordered', cause = null where subscription_day.state <> 'given'`,
  `drop table fair_day`,

  `alter table subscription rename column paused_at to pauses_at`,
  `alter table subscription add column posts_wait_since timestamptz`,
  // The days of a pause that goes on, as they were promised.
  `insert into subscription_day
    select workspace_id, id, (pauses_at at time zone time_zone)::date + n, 'given', 'paused',
      pauses_at, era, period
    from subscription, generate_series(1, planned_pause_days) n
    where state = 'Paused' and pauses_at is not null
    on conflict do nothing`,
  `alter table subscription drop column planned_pause_days, drop column paused_ms`,
  `create table subscription_pause (
    workspace_id uuid not null,
    subscription_id uuid not null,
    ig_id text not null,
    pauses_at timestamptz not null,
    resumes_at timestamptz not null,
    primary key (workspace_id, subscription_id, pauses_at),
    foreign key (workspace_id, subscription_id) references subscription (workspace_id, id)
      on delete cascade
  )`,
  `create index subscription_pause_by_account on subscription_pause (workspace_id, ig_id)`,
  `insert into subscription_pause
    select workspace_id, id, ig_id, pauses_at, resumes_at from subscription
    where state = 'Paused' and pauses_at is not null and resumes_at is not null`,

  `delete from subscription_interval where kind = 'paused'`,
  `alter table subscription_interval drop constraint subscription_interval_kind_check,
    add constraint subscription_interval_kind_check
      check (kind in ('unreadable', 'unreachable', 'throttled'))`,
  `drop index account_not_read`,
  `create index account_not_read on account (workspace_id, id) where problem is not null`,

  // Of the whole world, like network_subscription.
  `create table automatic_slot (
    ig_id text not null,
    local_day date not null,
    slot smallint not null check (slot between 1 and 4),
    time_zone text not null,
    posted_at timestamptz not null,
    workspace_id uuid not null,
    subscription_id uuid not null,
    primary key (ig_id, local_day, slot)
  )`,
  `insert into automatic_slot
    select o.ig_id, o.local_day, o.slot, s.time_zone, o.posted_at, s.workspace_id, s.id
    from like_order o join subscription s
      on s.workspace_id = o.workspace_id and s.id = o.subscription_id
    where o.kind = 'automatic' and o.ig_id <> ''
    on conflict do nothing`,
  `create index automatic_slot_by_day on automatic_slot (local_day)`,
  `create unique index like_order_subscription_slot
    on like_order (workspace_id, subscription_id, local_day, slot) where kind = 'automatic'`,
  `drop index like_order_day_slot`,
  `create table late_payment_grace (
    ig_id text primary key,
    granted_at timestamptz not null
  )`,
];

/** Days used and given back, whole pauses, posts that wait for a payment, and slots of the whole world. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
