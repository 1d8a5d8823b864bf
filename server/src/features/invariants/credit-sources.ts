import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Violation } from './violation.ts';

/**
 * I2: every balance follows from other tables than the ledger: bonus + paid packs - returned packs
 * + returned shortfalls - extra likes ordered and not returned. Corrections have no other table than the ledger's own.
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
    and exists (select from refund r where r.workspace_id = c.workspace_id and r.charge_id = c.id)`;

/** What settled automatic orders returned; whether they should have is I11's. */
const SHORTFALLS = sql`
  select workspace_id, id as order_id, credits_returned::bigint as credits from like_order
  where kind = 'automatic' and credits_returned > 0`;

async function listBalancesWithoutSource(db: Db): Promise<Violation[]> {
  const { rows } = await sql<{ id: string; balance: number; expected: string }>`
    with moved as (
      select workspace_id, credits from (${PACKS}) as packs
      union all select workspace_id, credits from (${SHORTFALLS}) as shortfalls
      union all select workspace_id, bonus from credit_balance
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
    select coalesce(b.workspace_id, t.workspace_id) as id, b.bonus as paid, t.credits as granted
    from (select * from credit_balance where bonus > 0) as b
    full join (select * from ledger_transaction where kind = 'bonus') as t
      on t.workspace_id = b.workspace_id
    where b.bonus is distinct from t.credits`.execute(db);
  return mismatches('workspace', rows);
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
