import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table workspace (id uuid primary key, created_at timestamptz not null)`,

  `create table app_user (
    workspace_id uuid not null references workspace (id) on delete cascade,
    id uuid not null,
    name text not null,
    email text not null,
    phone text not null,
    password_hash text not null,
    package smallint not null,
    time_zone text not null,
    default_account_id uuid,
    created_at timestamptz not null,
    primary key (workspace_id, id)
  )`,
  `create table email_directory (
    email text constraint email_is_taken primary key,
    workspace_id uuid not null,
    user_id uuid not null,
    foreign key (workspace_id, user_id) references app_user (workspace_id, id) on delete cascade
  )`,
  `create table session (
    token_hash bytea primary key,
    id uuid not null,
    workspace_id uuid not null,
    user_id uuid not null,
    keep_signed_in boolean not null,
    user_agent text not null,
    created_at timestamptz not null,
    last_seen_at timestamptz not null,
    expires_at timestamptz not null,
    ended_at timestamptz,
    foreign key (workspace_id, user_id) references app_user (workspace_id, id) on delete cascade
  )`,
  `create index session_by_user on session (workspace_id, user_id)`,

  `create table account (
    workspace_id uuid not null references workspace (id) on delete cascade,
    id uuid not null,
    ig_username text not null,
    ig_id text,
    profile_picture_url text,
    followers integer,
    problem text check (problem in ('unreadable', 'throttled', 'unreachable')),
    automatic_likes boolean not null default true,
    speed text not null default 'Instant',
    range_min smallint check (range_min between 10 and 1000),
    range_max smallint check (range_max between 10 and 1000),
    imported_at timestamptz,
    last_read_at timestamptz,
    created_at timestamptz not null,
    primary key (workspace_id, id),
    constraint account_username_is_connected unique (workspace_id, ig_username),
    constraint account_is_connected unique (workspace_id, ig_id),
    check ((range_min is null) = (range_max is null) and range_min <= range_max)
  )`,
  `create table account_watch (
    workspace_id uuid not null,
    account_id uuid not null,
    ig_username text not null,
    is_active boolean not null,
    next_look_at timestamptz not null,
    fence bigint not null default 0,
    digest text,
    failures smallint not null default 0,
    next_import_at timestamptz,
    primary key (workspace_id, account_id),
    foreign key (workspace_id, account_id) references account (workspace_id, id) on delete cascade
  ) with (fillfactor = 70)`,
  `create index account_watch_due on account_watch (next_look_at) where is_active`,
  `create index account_watch_import on account_watch (next_import_at)
    where next_import_at is not null`,

  `create table post (
    workspace_id uuid not null,
    account_id uuid not null,
    id text not null,
    shortcode text not null,
    media_type text not null check (media_type in ('IMAGE', 'VIDEO', 'CAROUSEL_ALBUM')),
    caption text not null,
    permalink text not null,
    image_url text,
    taken_at timestamptz not null,
    list_position smallint not null default 0,
    like_count integer,
    comment_count integer not null,
    detected_at timestamptz,
    missing_looks smallint not null default 0,
    deleted_at timestamptz,
    automatic_outcome text not null,
    primary key (workspace_id, account_id, id),
    foreign key (workspace_id, account_id) references account (workspace_id, id) on delete cascade
  )`,
  `create index post_newest on post (workspace_id, account_id, taken_at desc, list_position, id desc)`,
  `create index post_undecided on post (workspace_id, account_id)
    where automatic_outcome = 'no_subscription'`,

  `create table gateway_customer (
    workspace_id uuid primary key references workspace (id) on delete cascade,
    gateway_customer_id text not null
  )`,
  `create table card (
    workspace_id uuid not null references workspace (id) on delete cascade,
    id uuid not null,
    payment_method_id text not null,
    brand text not null,
    last_digits text not null check (length(last_digits) <= 4),
    holder_name text not null,
    exp_month smallint not null check (exp_month between 1 and 12),
    exp_year smallint not null,
    created_at timestamptz not null,
    in_use_since timestamptz,
    primary key (workspace_id, id)
  )`,

  `create table subscription (
    workspace_id uuid not null,
    id uuid not null,
    account_id uuid not null,
    ig_id text not null,
    package smallint not null check (package between 1 and 9),
    state text not null check (state in ('Active', 'Paused', 'Past due', 'Canceled', 'Expired')),
    anchor_at timestamptz not null,
    shift_days integer not null default 0 check (shift_days >= 0),
    time_zone text not null,
    period integer not null default 0 check (period >= 0),
    period_started_at timestamptz not null,
    next_billing_at timestamptz not null,
    ends_at timestamptz,
    card_id uuid not null,
    baseline_read_at timestamptz not null,
    baseline_post_ids text[] not null,
    created_at timestamptz not null,
    primary key (workspace_id, id),
    foreign key (workspace_id, account_id) references account (workspace_id, id),
    foreign key (workspace_id, card_id) references card (workspace_id, id)
  )`,
  `create unique index subscription_one_unended on subscription (workspace_id, account_id)
    where state in ('Active', 'Paused', 'Past due')`,
  `create table network_subscription (
    ig_id text constraint network_account_is_subscribed primary key,
    workspace_id uuid not null references workspace (id) on delete cascade,
    subscription_id uuid not null
  )`,

  `create table invoice (
    workspace_id uuid not null references workspace (id) on delete cascade,
    id uuid not null,
    subscription_id uuid not null,
    period integer not null,
    amount_cents integer not null check (amount_cents > 0),
    description text not null,
    checkout jsonb not null,
    created_at timestamptz not null,
    paid_at timestamptz,
    primary key (workspace_id, id),
    constraint invoice_once_per_period unique (workspace_id, subscription_id, period)
  )`,
  `create table charge (
    workspace_id uuid not null,
    id uuid not null,
    invoice_id uuid not null,
    card_id uuid not null,
    gateway_key text not null,
    gateway_charge_id text,
    amount_cents integer not null check (amount_cents > 0),
    state text not null check (state in ('created', 'sent', 'succeeded', 'declined', 'unknown')),
    decline_code text,
    created_at timestamptz not null,
    settled_at timestamptz,
    refund_key text,
    refunded_at timestamptz,
    next_check_at timestamptz,
    fence integer not null default 0,
    primary key (workspace_id, id),
    unique (workspace_id, gateway_key),
    check (refunded_at is null or refund_key is not null),
    foreign key (workspace_id, invoice_id) references invoice (workspace_id, id),
    foreign key (workspace_id, card_id) references card (workspace_id, id)
  )`,
  `create unique index charge_one_live_per_invoice on charge (workspace_id, invoice_id)
    where state <> 'declined'`,
  `create index charge_unsettled on charge (next_check_at) where next_check_at is not null`,
  `create index charge_open on charge (workspace_id) where state in ('created', 'sent', 'unknown')`,
  `create table credits_transaction (
    workspace_id uuid not null,
    id uuid not null,
    charge_id uuid not null,
    card_id uuid not null,
    ig_username text,
    description text not null,
    amount_cents integer not null,
    created_at timestamptz not null,
    primary key (workspace_id, id),
    unique (workspace_id, charge_id),
    foreign key (workspace_id, charge_id) references charge (workspace_id, id),
    foreign key (workspace_id, card_id) references card (workspace_id, id)
  )`,

  `create table like_order (
    workspace_id uuid not null,
    id uuid not null,
    kind text not null check (kind in ('automatic', 'credit')),
    account_id uuid not null,
    post_id text not null,
    ig_id text not null,
    shortcode text not null,
    subscription_id uuid,
    local_day date,
    slot smallint check (slot between 1 and 4),
    state text not null check (state in
      ('Pending', 'Processing', 'In progress', 'Completed', 'Partial', 'Canceled')),
    reason text,
    speed text not null,
    ordered integer not null check (ordered > 0),
    bonus integer not null check (bonus >= 0),
    views integer not null check (views >= 0),
    start_count integer,
    delivered integer not null default 0 check (delivered >= 0),
    views_delivered integer not null default 0 check (views_delivered >= 0),
    remains integer not null check (remains >= 0),
    provider_seq integer not null default -1,
    posted_at timestamptz not null,
    detected_at timestamptz not null,
    start_at timestamptz not null,
    finish_by timestamptz not null,
    started_at timestamptz,
    finished_at timestamptz,
    cancel_requested boolean not null default false,
    next_attempt_at timestamptz,
    fence integer not null default 0,
    attempts integer not null default 0,
    attempted_at timestamptz,
    primary key (workspace_id, id),
    foreign key (workspace_id, account_id, post_id)
      references post (workspace_id, account_id, id),
    foreign key (workspace_id, subscription_id) references subscription (workspace_id, id),
    check ((kind = 'automatic') = (subscription_id is not null)),
    check ((kind = 'automatic') = (slot is not null)),
    check ((kind = 'automatic') = (local_day is not null)),
    check (delivered <= ordered + bonus)
  ) with (fillfactor = 70)`,
  `create unique index like_order_one_automatic on like_order (workspace_id, subscription_id, post_id)
    where kind = 'automatic'`,
  `create unique index like_order_day_slot on like_order (workspace_id, account_id, local_day, slot)
    where kind = 'automatic'`,
  `create index like_order_by_post on like_order (workspace_id, account_id, post_id)`,
  `create index like_order_by_network_post on like_order (post_id)`,
  `create index like_order_due on like_order (next_attempt_at) where next_attempt_at is not null`,
  // The provider names an order by its id alone (its ref); everything after that has the workspace.
  `create index like_order_by_ref on like_order (id)`,
  `create table order_event (
    workspace_id uuid not null,
    order_id uuid not null,
    id uuid not null,
    kind text not null check (kind in ('placed', 'refused', 'started', 'finished')),
    fence integer not null,
    at timestamptz not null,
    primary key (workspace_id, id),
    foreign key (workspace_id, order_id) references like_order (workspace_id, id) on delete cascade
  )`,
  `create index order_event_by_order on order_event (workspace_id, order_id)`,
];

/** The tables of accounts, posts, orders, subscriptions and charges. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
