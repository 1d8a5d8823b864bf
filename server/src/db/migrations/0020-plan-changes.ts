import { type Kysely, sql } from 'kysely';

/** What unpaid invoices of running plans have taken of the balance is there again, and they ask for all. */
const OPENED_AGAIN = `
  with unpaid as (
    select i.workspace_id, i.id, i.balance_used_cents as cents from invoice i
    join subscription s on s.workspace_id = i.workspace_id and s.id = i.subscription_id
    where i.paid_at is null and i.balance_used_cents <> 0
      and s.state in ('Active', 'Paused', 'Past due') and i.era = s.era
      and not exists (select from charge c where c.workspace_id = i.workspace_id
        and c.invoice_id = i.id and c.state in ('created', 'sent', 'unknown'))
      and not exists (select from billing_balance_entry e where e.workspace_id = i.workspace_id
        and e.key = 'invoice:' || i.id || ':back')),
  opened as (
    update invoice i set amount_cents = i.amount_cents + u.cents
    from unpaid u where u.workspace_id = i.workspace_id and u.id = i.id)
  update billing_balance b set cents = b.cents + u.cents
  from (select workspace_id, sum(cents) as cents from unpaid group by 1) u
  where u.workspace_id = b.workspace_id`;

/**
 * An open balance was paid with a card, so it goes back there: from the newest charges of plans, never more than
 * these have left. Up to 49 cents carried over to a next invoice are let go.
 */
const PAID_BACK = `
  insert into refund (workspace_id, id, charge_id, reason, gateway_key, amount_cents, created_at,
    state, next_attempt_at)
  select p.workspace_id, p.id, p.charge_id, 'balance', p.id || ':refund', p.cents, now(), 'owed', now()
  from (
    select c.workspace_id, c.charge_id, gen_random_uuid() as id,
      least(c.left_cents, b.cents - c.before_cents)::int as cents
    from billing_balance b join (
      select c.workspace_id, c.id as charge_id, c.amount_cents - r.cents as left_cents,
        coalesce(sum(c.amount_cents - r.cents) over (partition by c.workspace_id
          order by c.settled_at desc, c.id desc
          rows between unbounded preceding and 1 preceding), 0) as before_cents
      from charge c
      join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id,
      lateral (select coalesce(sum(amount_cents), 0) as cents from refund r
        where r.workspace_id = c.workspace_id and r.charge_id = c.id) r
      where c.state = 'succeeded' and i.subscription_id is not null and c.amount_cents > r.cents
    ) c on c.workspace_id = b.workspace_id
    where b.cents > c.before_cents) p`;

const STATEMENTS = [
  // Deferred, they would hold the tables until the end.
  ...['insert', 'update', 'delete', 'late', 'late_update'].map(
    (name) => `drop trigger sync_${name} on billing_balance`,
  ),
  OPENED_AGAIN,
  PAID_BACK,
  `drop table billing_balance_entry`,
  `drop table billing_balance`,
  `drop function sync_billing_balance()`,
  `alter table invoice drop column balance_used_cents`,

  // Good for 15 minutes: whoever held one asks anew.
  `delete from plan_quote where used_at is null`,
  `alter table plan_quote drop column unused_cents, drop column balance_cents,
    add column starts_at timestamptz`,
];

/** Plan changes leave no billing balance any more (D5). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
