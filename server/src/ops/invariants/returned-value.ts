import { sql } from 'kysely';
import { PROMISED_STATES } from '#server/kit/db/tables/refund.table.ts';
import { moneyBack, type MoneyBackOrder } from '#shared/domain/money/money-back.ts';
import { UNENDED_STATES } from '#shared/domain/money/subscription-state.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db } from '#server/kit/db/database.ts';
import type { Violation } from './violation.ts';

type Problem = Omit<Violation, 'invariant'>;

/**
 * I11: never more out than in. Refunds and disputes of a charge are at most the charge, and a disputed one's plan
 * and card buy nothing more; money back is at most D5's formula, computed anew from charges, orders
 * and ledger; credits come from a payment, a bonus, or a shortfall that the customer's side did not
 * cause, at the price of the likes.
 */
export async function checkReturnedValue(db: Db): Promise<Violation[]> {
  const problems = [
    ...(await listOverpaidCharges(db)),
    ...(await listMoneyBacksAboveFormula(db)),
    ...(await listDisputedBuyers(db)),
    ...(await listUnowedShortfalls(db)),
    ...(await listUnpaidPacks(db)),
  ];
  return problems.map((problem) => ({ invariant: 'I11', ...problem }));
}

/**
 * What was rejected is still promised. While a dispute is open, what is owed waits for its end: only one of
 * both goes out.
 */
async function listOverpaidCharges(db: Db): Promise<Problem[]> {
  const { rows } = await sql<{ id: string; out: number; amountCents: number }>`
    select c.id, out.cents::int as out, c.amount_cents as "amountCents"
    from charge c, lateral (select
        coalesce(sum(r.amount_cents) filter (where r.state in ('refunded', 'settled')), 0) as gone,
        coalesce(sum(r.amount_cents) filter (where r.state in (${sql.join(PROMISED_STATES)})), 0) as owed
        from refund r where r.workspace_id = c.workspace_id and r.charge_id = c.id) refund,
      lateral (select
        coalesce(sum(d.amount_cents) filter (where d.state = 'lost'), 0) as lost,
        coalesce(sum(d.amount_cents) filter (where d.state = 'open'), 0) as open
        from dispute d where d.workspace_id = c.workspace_id and d.charge_id = c.id) dispute,
      lateral (select gone + lost + greatest(owed, open) as cents) out
    where out.cents > case when c.state = 'succeeded' then c.amount_cents else 0 end`.execute(db);
  return rows.map(({ id, out, amountCents }) => ({
    subject: `charge ${id}`,
    problem: `gives back ${out} of ${amountCents}`,
  }));
}

interface MoneyBackBook {
  workspaceId: WorkspaceId;
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
        + coalesce((select sum(t.credits) from ledger_transaction t
          join charge c on c.workspace_id = t.workspace_id and c.id = t.charge_id
          join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
          where t.workspace_id = m.workspace_id and t.kind = 'dispute'
            and t.at <= m.requested_at and i.subscription_id = m.subscription_id), 0)
        + m.bonus_credits + coalesce((select t.credits from ledger_transaction t
          where t.workspace_id = m.workspace_id
            and t.key = 'money_back:' || m.subscription_id), 0))::int as "usedCredits"
    from refund_request m, lateral (
      select coalesce(sum(c.amount_cents - other.cents), 0) as charged,
        coalesce(sum(other.back), 0) as refunded
      from invoice i
      join charge c on c.workspace_id = i.workspace_id and c.invoice_id = i.id
      cross join lateral (select
        coalesce(sum(r.amount_cents) filter (where r.reason <> 'money_back'), 0) as cents,
        coalesce(sum(r.amount_cents) filter (where r.reason = 'money_back'), 0) as back
        from (select amount_cents, reason, case when reason = 'gateway' then refunded_at
              else created_at end as heard_at from refund r
            where r.workspace_id = c.workspace_id and r.charge_id = c.id
          union all select amount_cents, 'dispute', heard_at from dispute d
            where d.workspace_id = c.workspace_id and d.charge_id = c.id
              and d.state in ('open', 'lost')) r
        -- What the dashboard or the bank did afterwards doesn't make it too much.
        where r.reason not in ('gateway', 'dispute')
          or r.heard_at < coalesce(m.approved_at, m.requested_at)) other
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
          or exists (select from refund_request m where m.workspace_id = o.workspace_id
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

/** A plan that runs although a payment of it is called back, and what such a card has paid for since. */
async function listDisputedBuyers(db: Db): Promise<Problem[]> {
  const { rows } = await sql<{ subject: string; problem: string }>`
    select 'subscription ' || s.id as subject, 'runs on a disputed payment' as problem
    from dispute d
    join charge c on c.workspace_id = d.workspace_id and c.id = d.charge_id
    join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
    join subscription s on s.workspace_id = i.workspace_id and s.id = i.subscription_id
    where d.state in ('open', 'lost') and not c.is_returned and s.state in (${sql.join(UNENDED_STATES)})
    union select 'charge ' || later.id, 'was made with a disputed card'
    from dispute d
    join charge c on c.workspace_id = d.workspace_id and c.id = d.charge_id
    join card k on k.workspace_id = c.workspace_id and k.id = c.card_id
    join card same on same.fingerprint = k.fingerprint
    join charge later on later.workspace_id = same.workspace_id and later.card_id = same.id
    where d.state in ('open', 'lost') and not c.is_returned and later.state = 'succeeded' and not later.is_returned
      and later.created_at > d.heard_at`.execute(db);
  return rows;
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
