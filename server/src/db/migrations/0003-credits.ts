import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table credit_balance (
    workspace_id uuid primary key references workspace (id),
    balance bigint not null constraint credit_balance_is_not_negative check (balance >= 0),
    bonus bigint not null check (bonus >= 0),
    entries bigint not null
  )`,
  `create table ledger_transaction (
    workspace_id uuid not null references workspace (id),
    id uuid not null,
    number bigint not null,
    key text not null,
    kind text not null check (kind in
      ('bonus', 'pack', 'hold', 'settle', 'shortfall', 'refund', 'correction')),
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
    foreign key (workspace_id, order_id) references like_order (workspace_id, id)
      deferrable initially deferred,
    foreign key (workspace_id, charge_id) references charge (workspace_id, id)
  )`,
  `create index ledger_transaction_by_order on ledger_transaction (workspace_id, order_id)
    where order_id is not null`,
  `create table ledger_entry (
    workspace_id uuid not null,
    transaction_id uuid not null,
    account text not null check (account in
      ('credits', 'bonus', 'packs', 'held', 'spent', 'shortfalls', 'refunds', 'corrections')),
    amount bigint not null check (amount <> 0),
    primary key (workspace_id, transaction_id, account),
    foreign key (workspace_id, transaction_id) references ledger_transaction (workspace_id, id)
  )`,

  `create function refuse_ledger_change() returns trigger language plpgsql as $$
    begin
      raise exception 'the ledger is append-only: % of % refused', tg_op, tg_table_name;
    end $$`,
  ...['ledger_transaction', 'ledger_entry'].flatMap((table) => [
    `create trigger append_only before update or delete on ${table}
      for each row execute function refuse_ledger_change()`,
    `create trigger no_truncate before truncate on ${table}
      for each statement execute function refuse_ledger_change()`,
  ]),
  // Checked at the commit, when all entries of a transaction are there.
  `create function refuse_unbalanced_ledger() returns trigger language plpgsql as $$
    declare total bigint;
    begin
      select sum(amount) into total from ledger_entry
        where workspace_id = new.workspace_id and transaction_id = new.transaction_id;
      if total <> 0 then
        raise exception 'ledger transaction % sums to %', new.transaction_id, total;
      end if;
      return null;
    end $$`,
  `create constraint trigger sums_to_zero after insert on ledger_entry
    deferrable initially deferred for each row execute function refuse_unbalanced_ledger()`,

  `alter table like_order add column credits_settled_at timestamptz`,
  `create index like_order_unsettled on like_order (finished_at)
    where finished_at is not null and credits_settled_at is null`,

  // A pack of credits is an invoice of no subscription and no period.
  `alter table invoice alter column subscription_id drop not null,
    alter column period drop not null,
    add check ((subscription_id is null) = (period is null))`,
];

/** Credits: balance, double-entry ledger, what has been settled; invoices for packs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
