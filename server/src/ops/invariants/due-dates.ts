import { sql } from 'kysely';
import { dueAt } from '#shared/domain/money/billing-period.ts';
import { UNENDED_STATES } from '#shared/domain/money/subscription-state.ts';
import type { Db } from '#server/kit/db/database.ts';
import type { Violation } from './violation.ts';

interface Dated {
  id: string;
  anchorAt: Date;
  shiftDays: number;
  /** Days of the shift that stand in rows: pauses, service credit, late payments. */
  creditedDays: number;
  unlistedDays: number;
  timeZone: string;
  period: number;
  nextBillingAt: Date;
}

/**
 * I8: the next charge of every subscription that isn't over falls due at anchor + n months + shift (D5), and the
 * shift is the days given back since the anchor, each once.
 */
export async function checkDueDates(db: Db): Promise<Violation[]> {
  const { rows } = await sql<Dated>`
    select s.id, s.anchor_at as "anchorAt", s.shift_days as "shiftDays",
      s.unlisted_shift_days as "unlistedDays", s.time_zone as "timeZone", s.period,
      s.next_billing_at as "nextBillingAt", count(d.local_day)::int as "creditedDays"
    from subscription s
    left join subscription_day d on d.workspace_id = s.workspace_id and d.subscription_id = s.id
      and d.subscription_version = s.subscription_version and d.state = 'given'
    where s.state in (${sql.join(UNENDED_STATES)})
    group by s.workspace_id, s.id`.execute(db);
  return rows.flatMap((row) =>
    problemsOf(row).map((problem) => ({
      invariant: 'I8' as const,
      subject: `subscription ${row.id}`,
      problem,
    })),
  );
}

function problemsOf(row: Dated): string[] {
  const { anchorAt, shiftDays, creditedDays, unlistedDays, timeZone, period, nextBillingAt } = row;
  const problems: string[] = [];
  const due = new Date(dueAt({ anchorMs: anchorAt.getTime(), timeZone, shiftDays }, period + 1));
  if (due.getTime() !== nextBillingAt.getTime()) {
    problems.push(
      `is charged next ${nextBillingAt.toISOString()}, due ${period + 1} is ${due.toISOString()}`,
    );
  }
  if (shiftDays !== creditedDays + unlistedDays) {
    problems.push(
      `is shifted by ${shiftDays} days, and ${creditedDays + unlistedDays} were given back`,
    );
  }
  return problems;
}
