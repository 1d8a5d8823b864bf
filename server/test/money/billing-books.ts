import { sql } from 'kysely';
import { dueAt } from '#shared/domain/money/billing-period.ts';
import type { TestDeps } from '../test-deps.ts';

type BookDeps = Pick<TestDeps, 'database' | 'gateway'>;

/** A charge that went through, as a gateway's own book has it. */
export interface BookEntry {
  /** Ours. */
  chargeId: string;
  amountCents: number;
  refundedCents: number;
}

/** The book of the gateway in memory. */
export function bookOfFake({ charges }: Pick<TestDeps['gateway'], 'charges'>): BookEntry[] {
  return charges
    .filter(({ state }) => state === 'succeeded')
    .map(({ request: { chargeId, amountCents }, refundedCents }) => ({
      chargeId,
      amountCents,
      refundedCents,
    }));
}

/** Compares the gateway's book with ours, charge by charge, and what must hold of subscriptions. */
export async function compareBooks(
  deps: BookDeps,
  theirs: readonly BookEntry[] = bookOfFake(deps.gateway),
): Promise<{ charges: number; refunds: number; violations: string[] }> {
  const ours = await listOurs(deps);
  const book = new Map(theirs.map((charge) => [charge.chargeId, charge]));
  const violations = ours.flatMap((charge) => {
    const entry = book.get(charge.id);
    const [cents, refunded] = [entry?.amountCents ?? 0, entry?.refundedCents ?? 0];
    if (cents === charge.cents && refunded === charge.refundedCents) return [];
    return [
      `charge ${charge.id} (${charge.state}): ours ${charge.cents} - ${charge.refundedCents}, the gateway's ${cents} - ${refunded}`,
    ];
  });
  if (book.size !== theirs.length) violations.push('a charge was made twice');
  const known = new Set(ours.map(({ id }) => id));
  for (const id of book.keys()) if (!known.has(id)) violations.push(`charge ${id} is not ours`);
  violations.push(...(await checkInvoices(deps)), ...(await checkDates(deps)));
  const refunds = theirs.filter(({ refundedCents }) => refundedCents > 0).length;
  return { charges: theirs.length, refunds, violations };
}

interface OwnCharge {
  id: string;
  state: string;
  cents: number;
  refundedCents: number;
}

async function listOurs({ database }: BookDeps): Promise<OwnCharge[]> {
  const { rows } = await sql<OwnCharge>`
    select c.id, c.state,
      case when c.state = 'succeeded' then c.amount_cents else 0 end as cents,
      coalesce((select sum(r.amount_cents) from refund r
        where r.workspace_id = c.workspace_id and r.charge_id = c.id
          and r.state = 'refunded'), 0)::int as "refundedCents"
    from charge c`.execute(database.db);
  return rows;
}

/** I5: an invoice is paid once, and nothing is kept that was charged after the end. */
async function checkInvoices({ database }: BookDeps): Promise<string[]> {
  const { rows: twice } = await sql<{ id: string }>`
    select invoice_id as id from charge where state = 'succeeded' and not is_returned
    group by 1 having count(*) > 1`.execute(database.db);
  const { rows: late } = await sql<{ id: string }>`
    select c.id from charge c
    join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
    join subscription s on s.workspace_id = i.workspace_id and s.id = i.subscription_id
    where c.state = 'succeeded' and not c.is_returned and s.state in ('Canceled', 'Expired')
      and c.settled_at > s.ends_at and c.created_at > s.ends_at`.execute(database.db);
  const { rows: open } = await sql<{ what: string; id: string; state: string; at: Date }>`
    select 'charge' as what, id, state, created_at as at from charge
    where state in ('created', 'sent', 'needs_action', 'unknown')
    union all select 'refund', id, state, created_at from refund
    where state in ('owed', 'rejected')`.execute(database.db);
  return [
    ...twice.map(({ id }) => `invoice ${id} is paid twice`),
    ...late.map(({ id }) => `charge ${id} came after the end and is kept`),
    ...open.map(
      ({ what, id, state, at }) => `${what} ${id} of ${at.toISOString()} is still open: ${state}`,
    ),
  ];
}

/** I8: the next charge is due at anchor + n months + shift. */
async function checkDates({ database }: BookDeps): Promise<string[]> {
  const rows = await database.db.selectFrom('subscription').selectAll().execute();
  return rows.flatMap((row) => {
    const clock = {
      anchorMs: row.anchor_at.getTime(),
      timeZone: row.time_zone,
      shiftDays: row.shift_days,
    };
    const isDue = row.next_billing_at.getTime() === dueAt(clock, row.period + 1);
    return isDue ? [] : [`subscription ${row.id} is due at ${row.next_billing_at.toISOString()}`];
  });
}
