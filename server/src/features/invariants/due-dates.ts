import { dueAt } from '#shared/domain/billing-period.ts';
import type { Db } from '../../db/database.ts';
import type { Violation } from './violation.ts';

/** I8: the next charge of every subscription that isn't over falls due at anchor + n months + shift (D5). */
export async function checkDueDates(db: Db): Promise<Violation[]> {
  const rows = await db
    .selectFrom('subscription')
    .select(['id', 'anchor_at', 'shift_days', 'time_zone', 'period', 'next_billing_at'])
    .where('state', 'in', ['Active', 'Paused', 'Past due'])
    .execute();
  return rows.flatMap((row) => {
    const { anchor_at: anchor, shift_days: shiftDays, time_zone: timeZone } = row;
    const due = new Date(
      dueAt({ anchorMs: anchor.getTime(), timeZone, shiftDays }, row.period + 1),
    );
    if (due.getTime() === row.next_billing_at.getTime()) return [];
    return [
      {
        invariant: 'I8' as const,
        subject: `subscription ${row.id}`,
        problem: `is charged next ${row.next_billing_at.toISOString()}, due ${row.period + 1} is ${due.toISOString()}`,
      },
    ];
  });
}
