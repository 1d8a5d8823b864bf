-- Tables, constraints, indexes and functions of the product. A statement ends where a line ends with a
-- semicolon and the next one isn't indented. What has the workspace in its key is a workspace's.

-- Workspaces and people.

create table workspace (
  id uuid primary key,
  created_at timestamptz not null
);

create table app_user (
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
);

-- Of the whole world: an address belongs to one person.
create table email_directory (
  email text constraint email_is_taken primary key,
  workspace_id uuid not null,
  user_id uuid not null,
  foreign key (workspace_id, user_id) references app_user (workspace_id, id) on delete cascade
);

create table user_preference (
  workspace_id uuid not null,
  user_id uuid not null,
  density text not null default 'comfortable' check (density in ('comfortable', 'compact')),
  active_account_id uuid,
  pinned_account_ids uuid[] not null default '{}',
  likes_done_mail boolean not null default false,
  primary key (workspace_id, user_id),
  foreign key (workspace_id, user_id) references app_user (workspace_id, id) on delete cascade
);

create table session (
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
  -- Set where a session was ended from elsewhere: its device is then told to keep nothing.
  end_reason text check (end_reason in ('signed_out', 'password_changed')),
  constraint session_of_workspace unique (workspace_id, id),
  foreign key (workspace_id, user_id) references app_user (workspace_id, id) on delete cascade
);
create index session_by_user on session (workspace_id, user_id);

-- Sessions of deleted customers, until their cookies are over.
create table deleted_session (
  token_hash bytea primary key,
  expires_at timestamptz not null
);
create index deleted_session_old on deleted_session (expires_at);

-- Browsers and networks a customer has logged in from: their tries at the password are counted apart.
create table known_browser (
  workspace_id uuid not null,
  user_id uuid not null,
  browser_hash bytea not null,
  network_hash bytea not null,
  seen_at timestamptz not null,
  primary key (workspace_id, user_id, browser_hash, network_hash),
  foreign key (workspace_id, user_id) references app_user (workspace_id, id) on delete cascade
);

-- Before anybody is known, so of no workspace.
create table recovery (
  token_hash bytea primary key,
  id uuid not null,
  email_hash text not null,
  code_hash bytea,
  tries smallint not null default 0 check (tries between 0 and 5),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index recovery_by_email on recovery (email_hash);
create index recovery_over on recovery (expires_at);

-- How often something was done lately: shared by all nodes, and no business of a workspace.
create table rate_limit (
  name text not null,
  key_hash text not null,
  used integer not null,
  resets_at timestamptz not null,
  primary key (name, key_hash)
);
create index rate_limit_over on rate_limit (resets_at);

-- A browser's promo window gives its bonus once. Of all, as sign-up is before there is a workspace; gone
-- when no window can be open any more.
create table promo_grant (
  window_id text primary key,
  granted_at timestamptz not null
);
create index promo_grant_old on promo_grant (granted_at);

-- Browsers that are told when likes are done, though no page of the product is open in them.
create table push_subscription (
  workspace_id uuid not null,
  session_id uuid not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null,
  pending_order_ids uuid[] not null default '{}',
  next_attempt_at timestamptz,
  attempts integer not null default 0,
  primary key (workspace_id, session_id),
  foreign key (workspace_id, session_id) references session (workspace_id, id) on delete cascade
);
create index push_subscription_due on push_subscription (next_attempt_at)
  where next_attempt_at is not null;
create index push_subscription_by_endpoint on push_subscription (endpoint);

-- Audit and mail.

create table audit_head (
  workspace_id uuid primary key,
  seq bigint not null,
  hash bytea not null
);

create table audit_event (
  workspace_id uuid not null,
  seq bigint not null check (seq > 0),
  at timestamptz not null,
  actor text not null,
  action text not null,
  subject text,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (workspace_id, seq)
);

create table audit_notice (
  workspace_id uuid not null,
  seq bigint generated always as identity,
  at timestamptz not null,
  actor text not null,
  action text not null,
  subject text,
  primary key (workspace_id, seq)
);
create index audit_notice_by_time on audit_notice (at);

create table owed_mail (
  workspace_id uuid not null references workspace (id) on delete cascade,
  id uuid not null,
  payload jsonb not null,
  created_at timestamptz not null,
  next_attempt_at timestamptz,
  fence integer not null default 0,
  attempts smallint not null default 0,
  sent_at timestamptz,
  primary key (workspace_id, id)
);
create index owed_mail_due on owed_mail (next_attempt_at) where next_attempt_at is not null;

-- Repeated calls.

create table attempt (
  workspace_id uuid not null references workspace (id) on delete cascade,
  call text not null,
  key text not null,
  body_hash bytea not null,
  attempt_id uuid not null,
  answer json,
  created_at timestamptz not null,
  lease_until timestamptz not null,
  primary key (workspace_id, call, key)
);

-- Of the whole world: an order's id is made by a client, and the provider knows it by that alone.
create table client_order (
  order_id uuid constraint client_order_is_once primary key,
  workspace_id uuid not null
);

-- The network: accounts, posts, and when each is read.

create table account (
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
  username_changed_at timestamptz,
  removed_at timestamptz,
  primary key (workspace_id, id),
  constraint account_is_connected unique (workspace_id, ig_id),
  check ((range_min is null) = (range_max is null) and range_min <= range_max)
);
create unique index account_username_is_connected on account (workspace_id, ig_username)
  where removed_at is null;
create index account_removed on account (workspace_id) where removed_at is not null;
create index account_not_read on account (workspace_id, id) where problem is not null;

create table poll_schedule (
  workspace_id uuid not null,
  account_id uuid not null,
  ig_username text not null,
  is_active boolean not null,
  next_poll_at timestamptz not null,
  fence bigint not null default 0,
  fingerprint text,
  failures smallint not null default 0,
  next_import_at timestamptz,
  primary key (workspace_id, account_id),
  foreign key (workspace_id, account_id) references account (workspace_id, id) on delete cascade
) with (fillfactor = 70);
create index poll_schedule_due on poll_schedule (next_poll_at) where is_active;
create index poll_schedule_import on poll_schedule (next_import_at)
  where next_import_at is not null;

create table post (
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
  missing_polls smallint not null default 0,
  deleted_at timestamptz,
  automatic_outcome text not null,
  -- Which likes are organic doesn't follow from two counts of different moments, so it is kept.
  organic_likes integer check (organic_likes >= 0),
  lost_likes integer not null default 0 check (lost_likes >= 0),
  open_reading_at timestamptz,
  primary key (workspace_id, account_id, id),
  foreign key (workspace_id, account_id) references account (workspace_id, id) on delete cascade
);
create index post_newest on post (workspace_id, account_id, taken_at desc, list_position, id desc);
create index post_undecided on post (workspace_id, account_id)
  where automatic_outcome = 'no_subscription';
create index post_newest_of_workspace on post (workspace_id, taken_at, account_id, id);
-- One network account may be connected by several workspaces: a like that one of them paid for is
-- organic for none.
create index post_by_network_id on post (id);

create table graph_bucket (
  bucket_id text primary key,
  usage_percent smallint not null default 0,
  blocked_until timestamptz,
  throttles smallint not null default 0,
  refused_code integer,
  paced_at timestamptz,
  updated_at timestamptz not null,
  retry_at timestamptz,
  refusals smallint not null default 0,
  open_readings jsonb not null default '{}',
  used_at timestamptz not null default '1970-01-01 00:00:00+00'
);

create table remembered_profile (
  ig_username text primary key,
  account jsonb,
  read_at timestamptz not null
);
create index remembered_profile_by_time on remembered_profile (read_at);

-- Who has shown that a network account is theirs, as a keyed hash.
create table network_owner (
  account_hash text primary key,
  workspace_id uuid not null,
  proved_at timestamptz not null
);

-- The codes that were asked for to show it.
create table ownership_proof (
  workspace_id uuid not null references workspace (id),
  ig_id text not null,
  asked_at timestamptz not null,
  expires_at timestamptz not null,
  proved_at timestamptz,
  primary key (workspace_id, ig_id)
);
create index ownership_proof_by_time on ownership_proof (expires_at);

-- Cards and customers at the gateway.

create table gateway_customer (
  workspace_id uuid primary key references workspace (id) on delete cascade,
  gateway_customer_id text not null
);

-- One for each customer the gateway was asked to make and nobody knows yet whether it did.
create table customer_request (
  workspace_id uuid not null references workspace (id),
  key text not null,
  email text not null,
  asked_at timestamptz not null,
  next_attempt_at timestamptz not null,
  fence integer not null default 0,
  primary key (workspace_id, key)
);
create index customer_request_due on customer_request (next_attempt_at);

create table card (
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
  fingerprint text,
  primary key (workspace_id, id)
);
create index card_by_fingerprint on card (fingerprint) where fingerprint is not null;

-- One for each deleted workspace whose cards the gateway still has; gone when they are.
create table card_detachment (
  workspace_id uuid primary key references workspace (id),
  gateway_customer_id text not null,
  asked_at timestamptz not null,
  detached_at timestamptz,
  next_attempt_at timestamptz not null,
  fence integer not null default 0
);
create index card_detachment_due on card_detachment (next_attempt_at);

-- Subscriptions.

create table subscription (
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
  -- After a plan change the periods count from 0 again, in the next version.
  subscription_version integer not null default 0,
  last_subscription_version integer not null default 0,
  next_action_at timestamptz,
  fence integer not null default 0,
  past_due_since timestamptz,
  retry_at timestamptz,
  pauses_at timestamptz,
  resumes_at timestamptz,
  reminded_for timestamptz,
  -- The network accounts it served before it moved on, as keyed hashes: its money back counts for all.
  past_account_hashes text[] not null default '{}',
  -- A downgrade waits for the due date.
  next_package smallint,
  displaced_at timestamptz,
  moved_at timestamptz,
  posts_wait_since timestamptz,
  -- How much of the due date's shift the days given back don't tell.
  unlisted_shift_days integer not null default 0,
  disputed_days integer not null default 0 check (disputed_days >= 0),
  primary key (workspace_id, id),
  check (last_subscription_version >= subscription_version),
  constraint subscription_next_package_differs check (next_package <> package),
  foreign key (workspace_id, account_id) references account (workspace_id, id),
  foreign key (workspace_id, card_id) references card (workspace_id, id)
);
create unique index subscription_one_unended on subscription (workspace_id, account_id)
  where state in ('Active', 'Paused', 'Past due');
create index subscription_due on subscription (next_action_at) where next_action_at is not null;
create index subscription_by_account on subscription (workspace_id, account_id);
create index subscription_by_network_account on subscription (ig_id);
create index subscription_by_past_account on subscription using gin (past_account_hashes);

-- Of the whole world: one unended subscription for each network account.
create table network_subscription (
  ig_id text constraint network_account_is_subscribed primary key,
  workspace_id uuid not null references workspace (id) on delete cascade,
  subscription_id uuid not null
);

-- The plans that a subscription had before its present one, because a post gets the plan of its time.
create table past_plan (
  workspace_id uuid not null,
  subscription_id uuid not null,
  until_at timestamptz not null,
  package smallint not null,
  period_days smallint not null,
  -- The first day that has had its posts.
  closed_day date,
  -- From when on the plan serves no post any more, whenever the post was taken.
  superseded_at timestamptz,
  primary key (workspace_id, subscription_id, until_at),
  foreign key (workspace_id, subscription_id)
    references subscription (workspace_id, id) on delete cascade
);

create table plan_quote (
  workspace_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  package smallint not null,
  subscription_version integer not null,
  period integer not null,
  state text not null,
  total_cents integer not null check (total_cents >= 0),
  expires_at timestamptz not null,
  used_at timestamptz,
  used_by uuid,
  starts_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, subscription_id) references subscription (workspace_id, id)
);
create index plan_quote_expired on plan_quote (expires_at);

create table subscription_pause (
  workspace_id uuid not null,
  subscription_id uuid not null,
  ig_id text not null,
  pauses_at timestamptz not null,
  resumes_at timestamptz not null,
  primary key (workspace_id, subscription_id, pauses_at),
  foreign key (workspace_id, subscription_id)
    references subscription (workspace_id, id) on delete cascade
);
create index subscription_pause_by_account on subscription_pause (workspace_id, ig_id);

-- One row for each local day that is used or given back. Its key is why a day is never both.
create table subscription_day (
  workspace_id uuid not null,
  subscription_id uuid not null,
  local_day date not null,
  state text not null check (state in ('ordered', 'pending', 'given', 'dropped')),
  cause text check (cause in ('paused', 'past_due', 'unreadable', 'unreachable', 'throttled',
    'outage')),
  found_at timestamptz not null,
  subscription_version integer,
  period integer,
  primary key (workspace_id, subscription_id, local_day),
  check ((state = 'ordered') = (cause is null)),
  check ((state = 'given') = (subscription_version is not null and period is not null)),
  foreign key (workspace_id, subscription_id)
    references subscription (workspace_id, id) on delete cascade
);
create index subscription_day_pending on subscription_day (workspace_id, subscription_id)
  where state = 'pending';

create table subscription_interval (
  workspace_id uuid not null,
  subscription_id uuid not null,
  kind text not null check (kind in ('unreadable', 'unreachable', 'throttled')),
  since timestamptz not null,
  until timestamptz,
  primary key (workspace_id, subscription_id, kind, since),
  check (until >= since),
  foreign key (workspace_id, subscription_id)
    references subscription (workspace_id, id) on delete cascade
);
create unique index subscription_interval_one_open on subscription_interval
  (workspace_id, subscription_id) where until is null;
create index subscription_interval_by_end on subscription_interval (until);

-- One row for the whole service, whatever number of nodes there is.
create table service_clock (
  id boolean primary key default true check (id),
  beat_at timestamptz not null,
  closed_until timestamptz not null
);

create table service_outage (
  since timestamptz primary key,
  until timestamptz not null,
  check (until > since)
);
create index service_outage_by_end on service_outage (until);

create table late_payment_grace (
  ig_id text primary key,
  granted_at timestamptz not null
);

-- Network accounts whose posts were served before the payment for their days. The row goes with the
-- payment. Without a workspace: it outlives the customer, who may come back as another.
create table unpaid_advance (
  ig_id text primary key,
  subscription_id uuid not null,
  since timestamptz not null
);

-- Invoices, charges and money that goes back.

-- A pack of credits is an invoice of no subscription and no period.
create table invoice (
  workspace_id uuid not null references workspace (id) on delete cascade,
  id uuid not null,
  subscription_id uuid,
  period integer,
  amount_cents integer not null check (amount_cents >= 0),
  description text not null,
  checkout jsonb not null,
  created_at timestamptz not null,
  paid_at timestamptz,
  subscription_version integer not null default 0,
  primary key (workspace_id, id),
  constraint invoice_once_per_period unique (workspace_id, subscription_id, subscription_version, period),
  check ((subscription_id is null) = (period is null))
);

create table charge (
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
  next_check_at timestamptz,
  fence integer not null default 0,
  is_returned boolean not null default false,
  primary key (workspace_id, id),
  unique (workspace_id, gateway_key),
  foreign key (workspace_id, invoice_id) references invoice (workspace_id, id),
  foreign key (workspace_id, card_id) references card (workspace_id, id)
);
create unique index charge_one_live_per_invoice on charge (workspace_id, invoice_id)
  where state <> 'declined';
create index charge_unsettled on charge (next_check_at) where next_check_at is not null;
create index charge_open on charge (workspace_id) where state in ('created', 'sent', 'unknown');
create index charge_by_invoice on charge (workspace_id, invoice_id);
create index charge_by_creation on charge (created_at);
-- Banks and the gateway's own desk name a charge as the gateway does.
create index charge_by_gateway_id on charge (gateway_charge_id) where gateway_charge_id is not null;

create table credits_transaction (
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
);

create table refund (
  workspace_id uuid not null,
  id uuid not null,
  charge_id uuid not null,
  reason text not null check (reason in ('balance', 'money_back', 'returned', 'gateway')),
  gateway_key text not null,
  amount_cents integer not null check (amount_cents > 0),
  created_at timestamptz not null,
  refunded_at timestamptz,
  next_attempt_at timestamptz,
  fence integer not null default 0,
  state text not null default 'owed' check (state in ('owed', 'refunded', 'rejected', 'settled')),
  sent_at timestamptz,
  rejected_at timestamptz,
  rejected_reason text,
  gateway_refund_id text,
  primary key (workspace_id, id),
  unique (workspace_id, gateway_key),
  constraint refund_owed_is_due check ((state = 'owed') = (next_attempt_at is not null)),
  constraint refund_gone_has_date check ((state in ('refunded', 'settled')) = (refunded_at is not null)),
  constraint refund_rejected_has_date check ((state = 'rejected') = (rejected_at is not null)),
  constraint refund_rejected_has_reason check ((state = 'rejected') = (rejected_reason is not null)),
  foreign key (workspace_id, charge_id) references charge (workspace_id, id)
);
create index refund_by_charge on refund (workspace_id, charge_id);
create index refund_due on refund (next_attempt_at) where next_attempt_at is not null;
create index refund_rejected on refund (rejected_at) where state = 'rejected';
create index refund_by_gateway_id on refund (gateway_refund_id) where gateway_refund_id is not null;

create table refund_request (
  workspace_id uuid not null,
  subscription_id uuid not null,
  state text not null check (state in ('Requested', 'Approved', 'Paid')),
  amount_cents integer not null check (amount_cents >= 0),
  requested_at timestamptz not null,
  approve_by timestamptz not null,
  approved_at timestamptz,
  paid_at timestamptz,
  -- What it was computed from.
  most_cents integer not null,
  charged_cents integer not null,
  has_free_likes boolean not null default true,
  likes integer not null default 0,
  paid_likes integer not null default 0,
  likes_cents integer not null default 0,
  order_credits bigint not null default 0,
  bonus_credits bigint not null default 0,
  taken_credits bigint not null default 0,
  credits_cents integer not null default 0,
  primary key (workspace_id, subscription_id),
  foreign key (workspace_id, subscription_id) references subscription (workspace_id, id)
);
create index refund_request_unpaid on refund_request (approve_by) where state <> 'Paid';

-- Of the whole world, as keyed hashes: once per network account.
create table refund_request_account (
  account_hash text primary key,
  workspace_id uuid not null references workspace (id) on delete cascade,
  subscription_id uuid not null,
  freed_for uuid,
  retaken boolean not null default false
);

-- Keyed hashes, kept for ever: the free likes of a money back are once per card.
create table refund_request_card (
  card_hash text primary key,
  workspace_id uuid not null references workspace (id),
  subscription_id uuid not null
);

create table dispute (
  workspace_id uuid not null,
  id text not null,
  charge_id uuid not null,
  amount_cents integer not null check (amount_cents > 0),
  state text not null check (state in ('inquiry', 'open', 'lost', 'won')),
  opened_at timestamptz not null,
  decided_at timestamptz,
  heard_at timestamptz not null,
  card_hash text,
  taken_credits bigint not null default 0 check (taken_credits >= 0),
  released_at timestamptz,
  cut_cents integer not null default 0 check (cut_cents >= 0),
  kept_credits bigint not null default 0 check (kept_credits >= 0),
  primary key (workspace_id, id),
  constraint dispute_decided_has_date check ((state in ('lost', 'won')) = (decided_at is not null)),
  foreign key (workspace_id, charge_id) references charge (workspace_id, id)
);
create index dispute_by_charge on dispute (workspace_id, charge_id);
create index dispute_of_card on dispute (card_hash) where state in ('open', 'lost');
create index dispute_undecided on dispute (opened_at) where state in ('inquiry', 'open');

-- One row: how far disputes and refunds have been read at the gateway.
create table gateway_reading (
  id boolean primary key default true check (id),
  read_until timestamptz not null,
  next_read_at timestamptz not null
);
insert into gateway_reading (read_until, next_read_at) values ('1970-01-01Z', '1970-01-01Z');

-- Orders.

create table like_order (
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
  state text not null check (state in ('Pending', 'Processing', 'In progress', 'Completed', 'Partial',
    'Canceled')),
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
  credits_settled_at timestamptz,
  -- What an automatic order's likes cost: of its plan and period. Null for orders paid with credits.
  plan_price_cents integer,
  plan_likes integer,
  period_days integer,
  credits_returned integer,
  settle_after timestamptz,
  known_at timestamptz,
  -- Whether it was made before the payment for its post.
  in_advance boolean not null default false,
  primary key (workspace_id, id),
  check ((kind = 'automatic') = (subscription_id is not null)),
  check ((kind = 'automatic') = (slot is not null)),
  check ((kind = 'automatic') = (local_day is not null)),
  check (delivered <= ordered + bonus),
  constraint like_order_automatic_has_terms
    check (kind <> 'automatic' or (plan_price_cents is not null and plan_likes > 0 and period_days > 0)),
  constraint like_order_settled_is_counted
    check ((credits_settled_at is null) = (credits_returned is null)),
  foreign key (workspace_id, account_id, post_id) references post (workspace_id, account_id, id),
  foreign key (workspace_id, subscription_id) references subscription (workspace_id, id)
) with (fillfactor = 70);
create unique index like_order_one_automatic on like_order (workspace_id, subscription_id, post_id)
  where kind = 'automatic';
create index like_order_by_post on like_order (workspace_id, account_id, post_id);
create index like_order_by_network_post on like_order (post_id);
create index like_order_due on like_order (next_attempt_at) where next_attempt_at is not null;
-- The provider names an order by its id alone (its ref); everything after that has the workspace.
create index like_order_by_ref on like_order (id);
create index like_order_unsettled on like_order (finished_at)
  where finished_at is not null and credits_settled_at is null;
-- Finds the orders of the last minutes or days without reading all of them.
create index like_order_by_detection on like_order (detected_at);
create unique index like_order_subscription_slot
  on like_order (workspace_id, subscription_id, local_day, slot) where kind = 'automatic';

create table order_event (
  workspace_id uuid not null,
  order_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('placed', 'refused', 'started', 'finished')),
  fence integer not null,
  at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, order_id) references like_order (workspace_id, id) on delete cascade
);
create index order_event_by_order on order_event (workspace_id, order_id);

-- Of the whole world, like network_subscription.
create table automatic_slot (
  ig_id text not null,
  local_day date not null,
  slot smallint not null check (slot between 1 and 4),
  time_zone text not null,
  posted_at timestamptz not null,
  workspace_id uuid not null,
  subscription_id uuid not null,
  primary key (ig_id, local_day, slot)
);
create index automatic_slot_by_day on automatic_slot (local_day);

-- Credits.

create table credit_balance (
  workspace_id uuid primary key references workspace (id),
  balance bigint not null constraint credit_balance_is_not_negative check (balance >= 0),
  bonus bigint not null check (bonus >= 0),
  entries bigint not null
);

create table ledger_transaction (
  workspace_id uuid not null references workspace (id),
  id uuid not null,
  number bigint not null,
  key text not null,
  kind text not null check (kind in ('bonus', 'pack', 'hold', 'settle', 'shortfall', 'refund',
    'correction', 'money_back', 'dispute')),
  description text not null,
  credits bigint not null,
  balance bigint not null check (balance >= 0),
  order_id uuid,
  charge_id uuid,
  at timestamptz not null,
  primary key (workspace_id, id),
  constraint ledger_key_is_once unique (workspace_id, key),
  unique (workspace_id, number),
  check ((kind in ('hold', 'settle', 'shortfall')) = (order_id is not null)),
  check (charge_id is not null or kind not in ('pack', 'refund')),
  foreign key (workspace_id, order_id)
    references like_order (workspace_id, id) deferrable initially deferred,
  foreign key (workspace_id, charge_id) references charge (workspace_id, id)
);
create index ledger_transaction_by_order on ledger_transaction (workspace_id, order_id)
  where order_id is not null;

create table ledger_entry (
  workspace_id uuid not null,
  transaction_id uuid not null,
  account text not null
    check (account in ('credits', 'bonus', 'packs', 'held', 'spent', 'shortfalls', 'refunds',
    'corrections', 'money_backs', 'disputes')),
  amount bigint not null check (amount <> 0),
  primary key (workspace_id, transaction_id, account),
  foreign key (workspace_id, transaction_id) references ledger_transaction (workspace_id, id)
);

-- What names a post or is written by hand; beside the ledger, so that it can be deleted.
create table ledger_words (
  workspace_id uuid not null,
  transaction_id uuid not null,
  words text not null,
  primary key (workspace_id, transaction_id),
  foreign key (workspace_id, transaction_id)
    references ledger_transaction (workspace_id, id) on delete cascade
);

-- What may only grow.

create function refuse_ledger_change() returns trigger language plpgsql as $$
  begin
    raise exception 'the ledger is append-only: % of % refused', tg_op, tg_table_name;
  end
$$;
create trigger append_only before update or delete on ledger_transaction
  for each row execute function refuse_ledger_change();
create trigger no_truncate before truncate on ledger_transaction
  for each statement execute function refuse_ledger_change();
create trigger append_only before update or delete on ledger_entry
  for each row execute function refuse_ledger_change();
create trigger no_truncate before truncate on ledger_entry
  for each statement execute function refuse_ledger_change();

-- Checked at the commit, when all entries of a transaction are there.
create function refuse_unbalanced_ledger() returns trigger language plpgsql as $$
  declare total bigint;
  begin
    select sum(amount) into total from ledger_entry
      where workspace_id = new.workspace_id and transaction_id = new.transaction_id;
    if total <> 0 then
      raise exception 'ledger transaction % sums to %', new.transaction_id, total;
    end if;
    return null;
  end
$$;
create constraint trigger sums_to_zero after insert on ledger_entry
  deferrable initially deferred for each row execute function refuse_unbalanced_ledger();

create function refuse_audit_change() returns trigger language plpgsql as $$
  begin raise exception 'the audit log is append-only' using errcode = '42501'; end
$$;
create trigger audit_event_is_append_only before update or delete on audit_event
  for each row execute function refuse_audit_change();
create trigger audit_event_is_never_emptied before truncate on audit_event
  for each statement execute function refuse_audit_change();
create trigger audit_head_is_never_deleted before delete on audit_head
  for each row execute function refuse_audit_change();

-- The log of changes for local copies.

create table sync_epoch (
  id boolean primary key default true check (id),
  epoch uuid not null,
  cluster text not null
);
insert into sync_epoch (epoch, cluster) values (gen_random_uuid(), '');

create table sync_head (
  workspace_id uuid not null,
  scope text collate "C" not null,
  v bigint not null,
  gc_v bigint not null default 0,
  primary key (workspace_id, scope)
) with (fillfactor = 70);

create table sync_row (
  workspace_id uuid not null,
  scope text collate "C" not null,
  entity text collate "C" not null,
  id text collate "C" not null,
  v bigint not null,
  deleted boolean not null,
  deleted_at timestamptz,
  primary key (workspace_id, scope, entity, id)
);
create index sync_row_tombstone on sync_row (deleted_at) where deleted;
create index sync_row_log on sync_row (workspace_id, scope, v);

create table sync_client (
  workspace_id uuid not null,
  user_id uuid not null,
  client_id uuid not null,
  last_mid bigint not null default 0,
  schema_v integer not null,
  last_seen_at timestamptz not null,
  primary key (workspace_id, user_id, client_id),
  foreign key (workspace_id, user_id) references app_user (workspace_id, id) on delete cascade
);
create index sync_client_unseen on sync_client (last_seen_at);

create table sync_mutation (
  workspace_id uuid not null,
  user_id uuid not null,
  client_id uuid not null,
  mid bigint not null,
  status text not null check (status in ('ok', 'rejected')),
  code text,
  message text,
  at timestamptz not null,
  primary key (workspace_id, user_id, client_id, mid),
  foreign key (workspace_id, user_id, client_id)
    references sync_client (workspace_id, user_id, client_id) on delete cascade
);
create index sync_mutation_old on sync_mutation (at);

-- How it is written. What changed is collected while a transaction runs and written as its last statement
-- (docs/sync.md, decision 0007):
--
--   statement on a synced table -- trigger --> setting sync.pending of the transaction
--   Database.transaction, last  -- sync_flush() --> sync_head (locked in order), then sync_row
--   anything else, at commit    -- deferred trigger --> the same sync_flush()
--
-- A setting and not a table: it is undone with a savepoint, costs no write, and needs no cleaning.

create function sync_line(workspace uuid, scope text, entity text, id text, is_gone boolean)
  returns text language sql immutable as $$
  select workspace || E'\t' || scope || E'\t' || entity || E'\t' || id
    || case when is_gone then E'\td\n' else E'\t\n' end
$$;

create function sync_touch(lines text) returns void language plpgsql as $$
  begin
    if lines is null then return; end if;
    perform set_config('sync.pending', concat(current_setting('sync.pending', true), lines), true);
  end
$$;

-- The one writer of the log. The row locks of the heads, taken in order and held to the commit, make
-- versions gapless and in commit order.
-- Whoever touches a row of a removed account (another workspace delivers to the same post), it stays gone.
create function sync_flush() returns table (scope text, v bigint) language plpgsql as $$
  #variable_conflict use_column
  declare pending text := current_setting('sync.pending', true);
  begin
    if pending is null or pending = '' then return; end if;
    perform set_config('sync.pending', '', true);
    return query
    with line as (
      select split_part(l, E'\t', 1)::uuid as workspace, split_part(l, E'\t', 2) as name,
        split_part(l, E'\t', 3) as entity, split_part(l, E'\t', 4) as id,
        split_part(l, E'\t', 5) = 'd' as is_gone, nr
      from string_to_table(rtrim(pending, E'\n'), E'\n') with ordinality as t(l, nr)
    ), touched as (
      select distinct on (name, entity, id) * from line order by name, entity, id, nr desc
    ), removed as materialized (
      select a.workspace_id, a.id from account a
      where a.removed_at is not null and a.workspace_id in (select workspace from line)
    ), head as (
      insert into sync_head as h (workspace_id, scope, v)
      select distinct workspace, name collate "C", 1 from line order by 2
      on conflict (workspace_id, scope) do update set v = h.v + 1
      returning h.scope, h.v
    ), logged as (
      insert into sync_row (workspace_id, scope, entity, id, v, deleted)
      select workspace, name, touched.entity, touched.id, head.v,
        is_gone or exists (select from removed r where r.workspace_id = workspace and case
          when touched.entity in ('account', 'post')
            then r.id::text = split_part(touched.id, '/', 1)
          when touched.entity = 'order' then exists (select from like_order o
            where o.workspace_id = workspace and o.id = touched.id::uuid and o.account_id = r.id)
          else false end)
      from touched join head on head.scope = name
      on conflict (workspace_id, scope, entity, id) do update
        set v = excluded.v, deleted = excluded.deleted, deleted_at = null
    )
    select head.scope::text, head.v from head order by 1;
  end
$$;

-- True for the first change of a transaction: one deferred call is enough for all of them.
create function sync_mark() returns boolean language plpgsql as $$
  begin
    if current_setting('sync.marked', true) = 'on' then return false; end if;
    perform set_config('sync.marked', 'on', true);
    return true;
  end
$$;

create function sync_flush_late() returns trigger language plpgsql as $$
  declare heads text;
  begin
    perform set_config('sync.marked', '', true);
    select string_agg(scope || '=' || v, ',') into heads from sync_flush();
    if heads is not null then
      perform pg_notify('ovation_sync', case when length(heads) < 7900 then heads else '*' end);
    end if;
    return null;
  end
$$;
