import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `alter table subscription
    add column era integer not null default 0,
    add column last_era integer not null default 0,
    add column next_action_at timestamptz,
    add column fence integer not null default 0,
    add column past_due_since timestamptz,
    add column retry_at timestamptz,
    add column paused_at timestamptz,
    add column resumes_at timestamptz,
    add column planned_pause_days integer not null default 0,
    add column paused_ms bigint not null default 0,
    add column reminded_for timestamptz,
    add check (last_era >= era)`,
  `create index subscription_due on subscription (next_action_at) where next_action_at is not null`,
  `create index subscription_by_account on subscription (workspace_id, account_id)`,

  // After a plan change the periods count from 0 again, in the next era.
  `alter table invoice
    add column era integer not null default 0,
    add column balance_used_cents integer not null default 0,
    drop constraint invoice_once_per_period,
    drop constraint invoice_amount_cents_check,
    add constraint invoice_once_per_period unique (workspace_id, subscription_id, era, period),
    add constraint invoice_amount_cents_check check (amount_cents >= 0)`,
  `create index charge_by_invoice on charge (workspace_id, invoice_id)`,

  `create table billing_balance (
    workspace_id uuid primary key references workspace (id) on delete cascade,
    cents integer not null constraint billing_balance_owes_no_charge check (cents > -50)
  )`,
  `create table billing_balance_entry (
    workspace_id uuid not null references workspace (id) on delete cascade,
    key text not null,
    subscription_id uuid not null,
    cents integer not null check (cents <> 0),
    at timestamptz not null,
    primary key (workspace_id, key)
  )`,
  `create index billing_balance_entry_by_subscription
    on billing_balance_entry (workspace_id, subscription_id)`,

  `create table refund (
    workspace_id uuid not null,
    id uuid not null,
    charge_id uuid not null,
    reason text not null check (reason in ('balance', 'money_back')),
    gateway_key text not null,
    amount_cents integer not null check (amount_cents > 0),
    created_at timestamptz not null,
    refunded_at timestamptz,
    next_attempt_at timestamptz,
    fence integer not null default 0,
    primary key (workspace_id, id),
    unique (workspace_id, gateway_key),
    check ((refunded_at is null) = (next_attempt_at is not null)),
    foreign key (workspace_id, charge_id) references charge (workspace_id, id)
  )`,
  `create index refund_by_charge on refund (workspace_id, charge_id)`,
  `create index refund_due on refund (next_attempt_at) where next_attempt_at is not null`,

  `create table plan_quote (
    workspace_id uuid not null,
    id uuid not null,
    subscription_id uuid not null,
    package smallint not null,
    era integer not null,
    period integer not null,
    state text not null,
    unused_cents integer not null,
    balance_cents integer not null,
    total_cents integer not null check (total_cents >= 0),
    expires_at timestamptz not null,
    used_at timestamptz,
    used_by uuid,
    primary key (workspace_id, id),
    foreign key (workspace_id, subscription_id) references subscription (workspace_id, id)
  )`,
  `create index plan_quote_expired on plan_quote (expires_at)`,

  `create table money_back (
    workspace_id uuid not null,
    subscription_id uuid not null,
    state text not null check (state in ('Requested', 'Approved', 'Paid')),
    amount_cents integer not null check (amount_cents >= 0),
    requested_at timestamptz not null,
    approve_by timestamptz not null,
    approved_at timestamptz,
    paid_at timestamptz,
    primary key (workspace_id, subscription_id),
    foreign key (workspace_id, subscription_id) references subscription (workspace_id, id)
  )`,
  `create index money_back_unpaid on money_back (approve_by) where state <> 'Paid'`,
  // Of the whole world, like network_subscription: once per network account.
  `create table money_back_account (
    ig_id text primary key,
    workspace_id uuid not null references workspace (id) on delete cascade,
    subscription_id uuid not null
  )`,
];

/** Subscriptions over years: renewals, pauses, plan changes, billing balance, refunds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
