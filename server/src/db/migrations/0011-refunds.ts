import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `alter table refund
    add column state text not null default 'owed'
      check (state in ('owed', 'refunded', 'rejected', 'settled')),
    add column sent_at timestamptz,
    add column rejected_at timestamptz,
    add column rejected_reason text,
    drop constraint refund_check,
    drop constraint refund_reason_check,
    add constraint refund_reason_check check (reason in ('balance', 'money_back', 'returned'))`,
  // Whether the gateway was asked for one of these is not known, so each counts as sent: looked up first.
  `update refund set sent_at = created_at,
    state = case when refunded_at is null then 'owed' else 'refunded' end`,

  // A charge that bought nothing had its refund in its own row.
  `alter table charge add column is_returned boolean not null default false`,
  `insert into refund (workspace_id, id, charge_id, reason, gateway_key, amount_cents, created_at,
      refunded_at, next_attempt_at, state, sent_at)
    select workspace_id, gen_random_uuid(), id, 'returned', refund_key, amount_cents,
      coalesce(settled_at, created_at), refunded_at,
      case when refunded_at is null then coalesce(next_check_at, created_at) end,
      case when refunded_at is null then 'owed' else 'refunded' end, coalesce(settled_at, created_at)
    from charge where refund_key is not null`,
  `update charge set is_returned = true, next_check_at = null where refund_key is not null`,
  `alter table charge drop column refund_key, drop column refunded_at`,

  `alter table refund
    add constraint refund_owed_is_due check ((state = 'owed') = (next_attempt_at is not null)),
    add constraint refund_gone_has_date
      check ((state in ('refunded', 'settled')) = (refunded_at is not null)),
    add constraint refund_rejected_has_date
      check ((state = 'rejected') = (rejected_at is not null)),
    add constraint refund_rejected_has_reason
      check ((state = 'rejected') = (rejected_reason is not null))`,
  `create index refund_rejected on refund (rejected_at) where state = 'rejected'`,
];

/** All money that goes back is in one table, with a state for what the gateway refuses. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
