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
  ...triggersOf({ ...likeOrder, seen: likeOrder.seen.replace(/\)$/, ', @.credits_returned)') }),

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
];

/** What of an order returns is valued by the plan it was made under, and kept with it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
