import { sql } from 'kysely';
import { PROMISED_STATES } from '#server/kit/db/tables/refund.table.ts';
import type { Db } from '#server/kit/db/database.ts';
import type { Violation } from './violation.ts';

const SHOWN_LIMIT = 100;

/**
 * I13: the documents of each legal entity are numbered 1, 2, 3 ... without a gap or a number given twice; each
 * payment since there are invoices has one of its amount, nothing else has one; credit notes add up to what has
 * gone back of it, and at most to what will.
 */
export async function checkDocuments(db: Db): Promise<Violation[]> {
  return [...(await seriesProblems(db)), ...(await chargeProblems(db))].map((found) => ({
    invariant: 'I13',
    ...found,
  }));
}

type Problem = Omit<Violation, 'invariant'>;

async function seriesProblems(db: Db): Promise<Problem[]> {
  const { rows } = await sql<{
    series: string;
    last: number;
    missing: number[] | null;
    count: number;
  }>`
    select coalesce(s.series, d.series) as series, coalesce(s.last_number, 0) as last,
      coalesce(d.count, 0)::int as count, d.missing
    from invoice_series s full join (
      select series, count(*) as count, array(select n from generate_series(1, max(number)) n
          except select number from billing_document o where o.series = b.series
          order by 1 limit ${SHOWN_LIMIT}) as missing
      from billing_document b group by series) d on d.series = s.series
    where coalesce(s.last_number, 0) <> coalesce(d.count, 0) or cardinality(d.missing) > 0
    order by 1`.execute(db);
  return rows.map(({ series, last, missing, count }) => ({
    subject: `series ${series}`,
    problem:
      missing && missing.length > 0
        ? `misses ${missing.join(', ')}`
        : `has ${count} documents and is at number ${last}`,
  }));
}

interface OwnDocuments {
  chargeId: string;
  isPaid: boolean;
  cents: number;
  invoicedCents: number | null;
  creditedCents: number;
  goneCents: number;
  owedCents: number;
}

async function chargeProblems(db: Db): Promise<Problem[]> {
  const { rows } = await sql<OwnDocuments>`
    select * from (
      select c.id as "chargeId", c.state = 'succeeded' and not c.is_before_invoices as "isPaid",
        c.amount_cents as cents, d.invoiced::int as "invoicedCents",
        coalesce(d.credited, 0)::int as "creditedCents",
        least(c.amount_cents, coalesce(r.gone, 0) + coalesce(lost.cents, 0))::int as "goneCents",
        coalesce(r.owed, 0)::int as "owedCents"
      from charge c
      left join (select workspace_id, charge_id, sum(amount_cents) filter (where kind = 'invoice') as invoiced,
          sum(case kind when 'credit_note' then amount_cents when 'reversal' then -amount_cents else 0 end)
            as credited
        from billing_document group by 1, 2) d
        on d.workspace_id = c.workspace_id and d.charge_id = c.id
      left join (select workspace_id, charge_id,
          sum(amount_cents) filter (where state in ('refunded', 'settled')) as gone,
          sum(amount_cents) filter (where state in (${sql.join(PROMISED_STATES)})) as owed
        from refund group by 1, 2) r on r.workspace_id = c.workspace_id and r.charge_id = c.id
      left join (select workspace_id, charge_id, sum(amount_cents) as cents
        from dispute where state = 'lost' group by 1, 2) lost
        on lost.workspace_id = c.workspace_id and lost.charge_id = c.id
      where c.state = 'succeeded' or d.charge_id is not null) found
    where "isPaid" is distinct from ("invoicedCents" is not distinct from cents)
      or ("isPaid" and ("creditedCents" < "goneCents" or "creditedCents" > "goneCents" + "owedCents"))
      or (not "isPaid" and "creditedCents" <> 0)
    order by 1 limit ${SHOWN_LIMIT}`.execute(db);
  return rows.map((row) => ({ subject: `charge ${row.chargeId}`, problem: problemOf(row) }));
}

function problemOf({ isPaid, cents, invoicedCents, ...row }: OwnDocuments): string {
  if (isPaid && invoicedCents !== cents) {
    return invoicedCents === null
      ? 'is paid and has no invoice'
      : `is ${cents}, its invoice ${invoicedCents}`;
  }
  if (!isPaid) return 'has documents and is none that gets any';
  return `${row.goneCents} have gone back, ${row.owedCents} are owed, and credit notes say ${row.creditedCents}`;
}
