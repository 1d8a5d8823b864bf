import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `alter table dispute
    drop constraint dispute_state_check,
    drop constraint dispute_check,
    add column heard_at timestamptz,
    add column card_hash text,
    add column taken_credits bigint not null default 0 check (taken_credits >= 0),
    add constraint dispute_state_check check (state in ('inquiry', 'open', 'lost', 'won')),
    add constraint dispute_decided_has_date
      check ((state in ('lost', 'won')) = (decided_at is not null))`,
  `update dispute set heard_at = opened_at`,
  `alter table dispute alter column heard_at set not null`,
  `create index dispute_of_card on dispute (card_hash) where state in ('open', 'lost')`,
  `create index dispute_undecided on dispute (opened_at) where state in ('inquiry', 'open')`,
  // Banks and the gateway's own desk name a charge as the gateway does.
  `create index charge_by_gateway_id on charge (gateway_charge_id)
    where gateway_charge_id is not null`,
  `alter table refund add column gateway_refund_id text`,
  `create index refund_by_gateway_id on refund (gateway_refund_id)
    where gateway_refund_id is not null`,
  // One row: how far disputes and refunds have been read at the gateway.
  `create table gateway_reading (
    id boolean primary key default true check (id),
    read_until timestamptz not null,
    next_read_at timestamptz not null
  )`,
  `insert into gateway_reading (read_until, next_read_at) values ('1970-01-01', '1970-01-01')`,
];

/** Disputes and refunds that were made at the gateway are heard of. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
