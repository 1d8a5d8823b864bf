import { sql } from 'kysely';
import type { Db } from '#server/kit/db/database.ts';
import type { Violation } from './violation.ts';

/**
 * I2: every balance follows from other tables than the ledger: bonus + paid packs - returned packs - taken with money back
 * or disputes + returned shortfalls - extra likes ordered and not returned. Corrections have no
 * other table than the ledger's own.
 * I6: every grant of credits has exactly one payment, bonus or shortfall, and each of these its grant;
 * so have packs that were returned.
 */
export async function checkCreditSources(db: Db): Promise<Violation[]> {
  return [
    ...(await listBalancesWithoutSource(db)),
    ...(await listPackMismatches(db, 'pack', PACKS)),
    ...(await listPackMismatches(db, 'refund', RETURNED_PACKS)),
    ...(await listShortfallMismatches(db)),
    ...(await listBonusMismatches(db)),
    ...(await listMoneyBackMismatches(db)),
    ...(await listDisputeMismatches(db)),
  ];
}

/** Paid for and granted: a charge that bought nothing brings no credits. */
const PACKS = sql`
  select c.workspace_id, c.id as charge_id, (i.checkout ->> 'credits')::bigint as credits
  from charge c join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
  where i.checkout ->> 'kind' = 'credits' and c.state = 'succeeded' and not c.is_returned`;

/** Packs whose money goes back although they were paid for and granted: their credits went back too. */
const RETURNED_PACKS = sql`
  select c.workspace_id, c.id as charge_id, -(i.checkout ->> 'credits')::bigint as credits
  from charge c join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
  where i.checkout ->> 'kind' = 'credits' and c.state = 'succeeded' and not c.is_returned
    and exists (select from refund r where r.workspace_id = c.workspace_id and r.charge_id = c.id
      and r.reason = 'returned')`;

/** What settled automatic orders returned; whether they should have is I11's. */
const SHORTFALLS = sql`
  select workspace_id, id as order_id, credits_returned::bigint as credits from like_order
  where kind = 'automatic' and credits_returned > 0`;

/** What was granted at sign-up, also where a plan's money back has taken it. */
const BONUS = sql`
  select workspace_id, sum(bonus)::bigint as credits from (
    select workspace_id, bonus from credit_balance
    union all select workspace_id, bonus_credits from refund_request) as granted
  group by workspace_id having sum(bonus) > 0`;

/** What money backs have taken of the balance. */
const MONEY_BACKS = sql`
  select workspace_id, subscription_id, -taken_credits as credits from refund_request
  where taken_credits > 0`;

/** And not given back. */
const TAKEN_BY_DISPUTE = sql`case when state = 'won' then kept_credits else taken_credits end`;

async function listBalancesWithoutSource(db: Db): Promise<Violation[]> {
  const { rows } = await sql<{ id: string; balance: number; expected: string }>`
    with moved as (
      select workspace_id, credits from (${PACKS}) as packs
      union all select workspace_id, credits from (${SHORTFALLS}) as shortfalls
      union all select workspace_id, credits from (${BONUS}) as bonus
      union all select workspace_id, -taken_credits from refund_request
      union all select workspace_id, -${TAKEN_BY_DISPUTE} from dispute
      union all select workspace_id, credits from ledger_transaction
        where kind = 'correction'
      union all select workspace_id, credits from (${RETURNED_PACKS}) as returned
      union all select workspace_id, -case when credits_settled_at is null then ordered
        else least(ordered, delivered) end from like_order where kind = 'credit'
    ), expected as (select workspace_id, sum(credits) as expected from moved group by workspace_id)
    select coalesce(b.workspace_id, e.workspace_id) as id, coalesce(b.balance, 0) as balance,
      coalesce(e.expected, 0) as expected
    from credit_balance b full join expected e on e.workspace_id = b.workspace_id
    where coalesce(b.balance, 0) <> coalesce(e.expected, 0)`.execute(db);
  return rows.map(({ id, balance, expected }) => ({
    invariant: 'I2',
    subject: `workspace ${id}`,
    problem: `has ${balance} credits, payments, bonus and orders make it ${expected}`,
  }));
}

async function listPackMismatches(
  db: Db,
  kind: 'pack' | 'refund',
  sources: ReturnType<typeof sql>,
): Promise<Violation[]> {
  const { rows } = await sql<{ id: string; paid: number | null; granted: number | null }>`
    select coalesce(p.charge_id, t.charge_id) as id, p.credits as paid, t.credits as granted
    from (${sources}) as p full join (select * from ledger_transaction where kind = ${kind}) as t
      on t.workspace_id = p.workspace_id and t.charge_id = p.charge_id
    where p.credits is distinct from t.credits`.execute(db);
  return mismatches('charge', rows);
}

async function listShortfallMismatches(db: Db): Promise<Violation[]> {
  const { rows } = await sql<{ id: string; paid: number | null; granted: number | null }>`
    select coalesce(s.order_id, t.order_id) as id, s.credits as paid, t.credits as granted
    from (${SHORTFALLS}) as s
    full join (select * from ledger_transaction where kind = 'shortfall') as t
      on t.workspace_id = s.workspace_id and t.order_id = s.order_id
    where s.credits is distinct from t.credits`.execute(db);
  return mismatches('order', rows);
}

async function listBonusMismatches(db: Db): Promise<Violation[]> {
  const { rows } = await sql<{ id: string; paid: number | null; granted: number | null }>`
    select coalesce(b.workspace_id, t.workspace_id) as id, b.credits as paid, t.credits as granted
    from (${BONUS}) as b
    full join (select * from ledger_transaction where kind = 'bonus') as t
      on t.workspace_id = b.workspace_id
    where b.credits is distinct from t.credits`.execute(db);
  return mismatches('workspace', rows);
}

async function listMoneyBackMismatches(db: Db): Promise<Violation[]> {
  const { rows } = await sql<{ id: string; paid: number | null; granted: number | null }>`
    select coalesce(m.subscription_id::text, t.key) as id, m.credits as paid, t.credits as granted
    from (${MONEY_BACKS}) as m
    full join (select * from ledger_transaction where kind = 'money_back') as t
      on t.workspace_id = m.workspace_id and t.key = 'money_back:' || m.subscription_id
    where m.credits is distinct from t.credits`.execute(db);
  return mismatches('money back', rows);
}

/** What disputes of a payment have taken and not given back. */
async function listDisputeMismatches(db: Db): Promise<Violation[]> {
  const { rows } = await sql<{ id: string; paid: number | null; granted: number | null }>`
    select coalesce(d.charge_id, t.charge_id) as id, d.credits as paid, t.credits as granted
    from (select charge_id, -sum(${TAKEN_BY_DISPUTE}) as credits from dispute
      group by charge_id) as d
    full join (select charge_id, sum(credits) as credits from ledger_transaction
      where kind = 'dispute' group by charge_id) as t on t.charge_id = d.charge_id
    where coalesce(d.credits, 0) <> coalesce(t.credits, 0)`.execute(db);
  return mismatches('disputed charge', rows);
}

function mismatches(
  what: string,
  rows: ReadonlyArray<{ id: string; paid: number | null; granted: number | null }>,
): Violation[] {
  return rows.map(({ id, paid, granted }) => ({
    invariant: 'I6',
    subject: `${what} ${id}`,
    problem: `is good for ${paid ?? 'no'} credits, granted were ${granted ?? 'none'}`,
  }));
}
