import { sql } from 'kysely';
import { moneyBack, type MoneyBackOrder } from '#shared/domain/money-back.ts';
import type { Db } from '../../db/database.ts';
import type { Violation } from './violation.ts';

type Problem = Omit<Violation, 'invariant'>;

/**
 * I11: never more out than in. Refunds and disputes of a charge are at most the charge; money back is at most
 * D5's formula, computed anew from charges, orders and ledger; credits come from a payment, a bonus, or a
 * shortfall that the customer's side did not cause, at the price of the likes.
 */
export async function checkReturnedValue(db: Db): Promise<Violation[]> {
  const problems = [
    ...(await listOverpaidCharges(db)),
    ...(await listMoneyBacksAboveFormula(db)),
    ...(await listUnowedShortfalls(db)),
    ...(await listUnpaidPacks(db)),
  ];
  return problems.map((problem) => ({ invariant: 'I11', ...problem }));
}

/** What a dispute takes can't be more than what is left; what was rejected is still promised. */
async function listOverpaidCharges(db: Db): Promise<Problem[]> {
  const { rows } = await sql<{ id: string; out: number; amountCents: number }>`
    select c.id, out.cents::int as out, c.amount_cents as "amountCents"
    from charge c, lateral (select
      coalesce((select sum(r.amount_cents) from refund r
        where r.workspace_id = c.workspace_id and r.charge_id = c.id), 0)
      + coalesce((select sum(d.amount_cents) from dispute d
        where d.workspace_id = c.workspace_id and d.charge_id = c.id and d.state <> 'won'), 0)
      as cents) out
    where out.cents > case when c.state = 'succeeded' then c.amount_cents else 0 end`.execute(db);
  return rows.map(({ id, out, amountCents }) => ({
    subject: `charge ${id}`,
    problem: `gives back ${out} of ${amountCents}`,
  }));
}

interface MoneyBackBook {
  workspaceId: string;
  id: string;
  promisedCents: number;
  refundedCents: number;
  chargedCents: number;
  hasFreeLikes: boolean;
  usedCredits: number;
}

async function listMoneyBacksAboveFormula(db: Db): Promise<Problem[]> {
  const { rows } = await sql<MoneyBackBook>`
    select m.workspace_id as "workspaceId", m.subscription_id as id,
      m.amount_cents as "promisedCents", m.has_free_likes as "hasFreeLikes",
      money.refunded::int as "refundedCents", money.charged::int as "chargedCents",
      (coalesce((select sum(t.credits) from ledger_transaction t
          join like_order o on o.workspace_id = t.workspace_id and o.id = t.order_id
          where t.workspace_id = m.workspace_id and t.kind = 'shortfall'
            and o.subscription_id = m.subscription_id), 0)
        + m.bonus_credits + coalesce((select t.credits from ledger_transaction t
          where t.workspace_id = m.workspace_id
            and t.key = 'money_back:' || m.subscription_id), 0))::int as "usedCredits"
    from money_back m, lateral (
      select coalesce(sum(c.amount_cents - other.cents), 0) as charged,
        coalesce(sum(other.back), 0) as refunded
      from invoice i
      join charge c on c.workspace_id = i.workspace_id and c.invoice_id = i.id
      cross join lateral (select
        coalesce(sum(r.amount_cents) filter (where r.reason <> 'money_back'), 0) as cents,
        coalesce(sum(r.amount_cents) filter (where r.reason = 'money_back'), 0) as back
        from refund r where r.workspace_id = c.workspace_id and r.charge_id = c.id) other
      where i.workspace_id = m.workspace_id and i.subscription_id = m.subscription_id
        and c.state = 'succeeded') money`.execute(db);
  const problems: Problem[] = [];
  for (const book of rows) {
    const orders = await listOrders(db, book);
    const { most } = moneyBack({ ...book, orders });
    const outCents = Math.max(book.promisedCents, book.refundedCents);
    if (outCents <= most.cents) continue;
    problems.push({
      subject: `money back ${book.id}`,
      problem: `returns ${outCents}, by the formula at most ${most.cents}`,
    });
  }
  return problems;
}

async function listOrders(
  db: Db,
  { workspaceId, id }: Pick<MoneyBackBook, 'workspaceId' | 'id'>,
): Promise<MoneyBackOrder[]> {
  const { rows } = await sql<MoneyBackOrder>`
    select ordered, delivered, finished_at is not null as "isFinal",
      plan_price_cents as "planPriceCents", plan_likes as "planLikes", period_days as "periodDays"
    from like_order where workspace_id = ${workspaceId} and subscription_id = ${id}
      and kind = 'automatic'
    order by detected_at, id`.execute(db);
  return rows;
}

/** Credits of the value of the missing likes, rounded up, and only for what the provider fell short of. */
async function listUnowedShortfalls(db: Db): Promise<Problem[]> {
  const { rows } = await sql<{ id: string; given: number; owed: number }>`
    select t.order_id as id, t.credits::int as given, owed.credits::int as owed
    from ledger_transaction t
    join like_order o on o.workspace_id = t.workspace_id and o.id = t.order_id
    cross join lateral (select case
        when o.kind <> 'automatic' or o.reason in ('post_deleted', 'account_unreadable', 'stopped')
          or exists (select from post p where p.workspace_id = o.workspace_id
            and p.account_id = o.account_id and p.id = o.post_id and p.deleted_at <= t.at)
          or exists (select from money_back m where m.workspace_id = o.workspace_id
            and m.subscription_id = o.subscription_id and m.requested_at < t.at)
        then 0
        else ceil(5.0 * greatest(0, o.ordered - o.delivered) * o.plan_price_cents
          / (8.0 * o.period_days * o.plan_likes)) end as credits) owed
    where t.kind = 'shortfall' and t.credits > owed.credits`.execute(db);
  return rows.map(({ id, given, owed }) => ({
    subject: `order ${id}`,
    problem: `returned ${given} credits and owed ${owed}`,
  }));
}

async function listUnpaidPacks(db: Db): Promise<Problem[]> {
  const { rows } = await sql<{ id: string; credits: number }>`
    select t.id, t.credits::int as credits from ledger_transaction t
    left join charge c on c.workspace_id = t.workspace_id and c.id = t.charge_id
      and c.state = 'succeeded'
    where t.kind = 'pack' and c.id is null`.execute(db);
  return rows.map(({ id, credits }) => ({
    subject: `ledger transaction ${id}`,
    problem: `gave ${credits} credits without a payment`,
  }));
}
