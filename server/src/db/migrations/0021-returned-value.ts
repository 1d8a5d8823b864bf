import { type Kysely, sql } from 'kysely';
import { SYNCED, triggersOf } from './0008-sync-triggers.ts';

/** The plans of the time before orders kept their terms. */
const PLANS = `(values (1, 50, 999), (2, 100, 1700), (3, 250, 2400), (4, 500, 4800), (5, 1000, 7500),
  (6, 1500, 9900), (7, 3000, 18900), (8, 5000, 30000), (9, 10000, 45000))
  as plan (number, likes, cents)`;

const monthAfter = (months: string): string =>
  `((s.anchor_at at time zone s.time_zone) + (${months}) * interval '1 month')::date`;

const likeOrder = SYNCED.find(({ table }) => table === 'like_order');
if (!likeOrder) throw new Error('like_order is not synced');

const STATEMENTS = [
  // What an automatic order's likes cost: of its plan and period. Null for orders paid with credits.
  `alter table like_order
    add column plan_price_cents integer,
    add column plan_likes integer,
    add column period_days integer,
    add column credits_returned integer,
    add column settle_after timestamptz`,
  ...['insert', 'update', 'delete', 'late', 'late_update'].map(
    (name) => `drop trigger sync_${name} on like_order`,
  ),
  `drop function sync_like_order()`,

  // The plan that has so many likes; an irregular amount belongs to the subscription's plan.
  `update like_order o set plan_price_cents = plan.cents, plan_likes = plan.likes,
      period_days = ${monthAfter('s.period + 1')} - ${monthAfter('s.period')}
    from subscription s, ${PLANS}
    where o.kind = 'automatic' and s.workspace_id = o.workspace_id and s.id = o.subscription_id
      and plan.number = coalesce((select p.number from ${PLANS.replace('as plan', 'as p')}
        where p.likes = o.ordered), s.package)`,
  `update like_order o set credits_returned = case when o.kind = 'credit'
      then greatest(0, o.ordered - o.delivered)
      else coalesce((select t.credits from ledger_transaction t where t.workspace_id = o.workspace_id
        and t.order_id = o.id and t.kind = 'shortfall'), 0) end
    where o.credits_settled_at is not null`,
  `alter table like_order add constraint like_order_automatic_has_terms check (kind <> 'automatic'
    or (plan_price_cents is not null and plan_likes > 0 and period_days > 0))`,
  `alter table like_order add constraint like_order_settled_is_counted
    check ((credits_settled_at is null) = (credits_returned is null))`,
  // Last, because a table with rows that triggers wait for can't be altered; copies are read anew anyway.
  ...triggersOf({ ...likeOrder, seen: likeOrder.seen.replace(/\)$/, ', @.credits_returned)') }),

  // What a money back was computed from; those of before returned all that was charged.
  `alter table money_back
    add column most_cents integer,
    add column charged_cents integer,
    add column has_free_likes boolean not null default true,
    add column likes integer not null default 0,
    add column paid_likes integer not null default 0,
    add column likes_cents integer not null default 0,
    add column order_credits bigint not null default 0,
    add column bonus_credits bigint not null default 0,
    add column taken_credits bigint not null default 0,
    add column credits_cents integer not null default 0`,
  `update money_back set most_cents = amount_cents, charged_cents = amount_cents`,
  `alter table money_back alter column most_cents set not null,
    alter column charged_cents set not null`,
  ...triggersOf({
    table: 'money_back',
    key: ['subscription_id'],
    seen: '(@.state)',
    lines: `
      select sync_line(s.workspace_id, 'w:' || s.workspace_id, 'account', s.account_id::text, false)
        from changed c, lateral (select * from subscription s
          where s.workspace_id = c.workspace_id and s.id = c.subscription_id offset 0) s`,
  }),
  // Refunds used to be written down with the request; now they are with the approval.
  `delete from refund r using charge c, invoice i, money_back m
    where r.reason = 'money_back' and r.state = 'owed' and r.sent_at is null
      and c.workspace_id = r.workspace_id and c.id = r.charge_id
      and i.workspace_id = c.workspace_id and i.id = c.invoice_id
      and m.workspace_id = i.workspace_id and m.subscription_id = i.subscription_id
      and m.state = 'Requested'`,
  // Keyed hashes, kept for ever: the free likes of a money back are once per card.
  `create table money_back_card (
    card_hash text primary key,
    workspace_id uuid not null references workspace (id),
    subscription_id uuid not null
  )`,
  `alter table card add column fingerprint text`,
  `create index card_by_fingerprint on card (fingerprint) where fingerprint is not null`,

  `create table dispute (
    workspace_id uuid not null,
    id text not null,
    charge_id uuid not null,
    amount_cents integer not null check (amount_cents > 0),
    state text not null check (state in ('open', 'won', 'lost')),
    opened_at timestamptz not null,
    decided_at timestamptz,
    primary key (workspace_id, id),
    foreign key (workspace_id, charge_id) references charge (workspace_id, id),
    check ((state = 'open') = (decided_at is null))
  )`,
  `create index dispute_by_charge on dispute (workspace_id, charge_id)`,
  `alter table refund drop constraint refund_reason_check,
    add constraint refund_reason_check
      check (reason in ('balance', 'money_back', 'returned', 'gateway'))`,
  `alter table ledger_transaction drop constraint ledger_transaction_kind_check,
    add constraint ledger_transaction_kind_check check (kind in ('bonus', 'pack', 'hold', 'settle',
      'shortfall', 'refund', 'correction', 'money_back', 'dispute'))`,
  `alter table ledger_entry drop constraint ledger_entry_account_check,
    add constraint ledger_entry_account_check check (account in ('credits', 'bonus', 'packs', 'held',
      'spent', 'shortfalls', 'refunds', 'corrections', 'money_backs', 'disputes'))`,
];

/** What returns, in credits and in money, is computed from what is kept with orders and requests. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
