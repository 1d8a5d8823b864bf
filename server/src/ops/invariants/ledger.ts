import { sql } from 'kysely';
import type { Db } from '#server/kit/db/database.ts';
import type { Violation } from './violation.ts';

/**
 * I1: the entries of every ledger transaction sum to 0, every balance equals what was posted to it, at
 * the end and at every step, none is below 0, and numbers count up without gaps.
 */
export async function checkLedger(db: Db): Promise<Violation[]> {
  return [
    ...(await listUnbalanced(db)),
    ...(await listMisposted(db)),
    ...(await listWrongBalances(db)),
  ].map((found) => ({ invariant: 'I1', ...found }));
}

type Found = Omit<Violation, 'invariant'>;

async function listUnbalanced(db: Db): Promise<Found[]> {
  const { rows } = await sql<{ id: string; total: string; credits: number; posted: string }>`
    select t.id, t.credits, coalesce(sum(e.amount), 0) as total,
      coalesce(sum(e.amount) filter (where e.account = 'credits'), 0) as posted
    from ledger_transaction t left join ledger_entry e
      on e.workspace_id = t.workspace_id and e.transaction_id = t.id
    group by t.workspace_id, t.id, t.credits
    having coalesce(sum(e.amount), 0) <> 0 or count(e.amount) < 2
      or coalesce(sum(e.amount) filter (where e.account = 'credits'), 0) <> t.credits`.execute(db);
  return rows.map(({ id, total, credits, posted }) => ({
    subject: `ledger transaction ${id}`,
    problem: `sums to ${total}, and posts ${posted} where it says ${credits}`,
  }));
}

/** Steps whose number or balance doesn't follow from the one before. */
async function listMisposted(db: Db): Promise<Found[]> {
  const { rows } = await sql<{ id: string; number: number; balance: number; sum: string }>`
    select id, number, balance, sum from (
      select id, number, balance,
        sum(credits) over (partition by workspace_id order by number) as sum,
        row_number() over (partition by workspace_id order by number) as place
      from ledger_transaction) as steps
    where number <> place or balance <> sum`.execute(db);
  return rows.map(({ id, number, balance, sum }) => ({
    subject: `ledger transaction ${id}`,
    problem: `is number ${number} with a balance of ${balance}, the changes up to it are ${sum}`,
  }));
}

async function listWrongBalances(db: Db): Promise<Found[]> {
  const { rows } = await sql<{ id: string; balance: number; posted: string }>`
    select coalesce(b.workspace_id, p.workspace_id) as id, coalesce(b.balance, 0) as balance,
      coalesce(p.posted, 0) as posted
    from credit_balance b full join (
      select workspace_id, sum(amount) as posted, count(distinct transaction_id) as entries
      from ledger_entry where account = 'credits' group by workspace_id
    ) p on p.workspace_id = b.workspace_id
    where coalesce(b.balance, 0) <> coalesce(p.posted, 0) or coalesce(b.balance, 0) < 0`.execute(
    db,
  );
  return rows.map(({ id, balance, posted }) => ({
    subject: `workspace ${id}`,
    problem: `has ${balance} credits, posted are ${posted}`,
  }));
}
