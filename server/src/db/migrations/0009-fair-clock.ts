import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // One row for the whole service, whatever number of nodes there is.
  `create table service_clock (
    id boolean primary key default true check (id),
    beat_at timestamptz not null,
    closed_until timestamptz not null
  )`,
  `create table service_outage (
    since timestamptz primary key,
    until timestamptz not null check (until > since)
  )`,
  `create index service_outage_by_end on service_outage (until)`,

  `create table subscription_interval (
    workspace_id uuid not null,
    subscription_id uuid not null,
    kind text not null check (kind in ('unreadable', 'unreachable', 'paused')),
    since timestamptz not null,
    until timestamptz check (until >= since),
    primary key (workspace_id, subscription_id, kind, since),
    foreign key (workspace_id, subscription_id) references subscription (workspace_id, id)
      on delete cascade
  )`,
  `create unique index subscription_interval_one_open
    on subscription_interval (workspace_id, subscription_id) where until is null`,
  `create index subscription_interval_by_end on subscription_interval (until)`,
  `create index account_not_read on account (workspace_id, id)
    where problem in ('unreadable', 'unreachable')`,

  `create table fair_day (
    workspace_id uuid not null,
    subscription_id uuid not null,
    local_day text not null check (local_day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
    cause text not null check (cause in ('unreadable', 'unreachable', 'outage')),
    state text not null check (state in ('pending', 'added', 'dropped')),
    found_at timestamptz not null,
    added_at timestamptz,
    era integer,
    period integer,
    primary key (workspace_id, subscription_id, local_day),
    foreign key (workspace_id, subscription_id) references subscription (workspace_id, id)
      on delete cascade,
    check ((state = 'added') = (added_at is not null)),
    check ((era is null) = (added_at is null) and (period is null) = (added_at is null))
  )`,
  `create index fair_day_pending on fair_day (workspace_id, subscription_id)
    where state = 'pending'`,
];

/** The fair clock: when the service and single accounts weren't served, and the days given for it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
