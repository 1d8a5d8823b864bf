import type { Db } from '#server/kit/db/database.ts';
import { dueAt } from '#shared/domain/money/billing-period.ts';

/** Each plan becomes a month older than it is; a product that was away would owe days instead. */
export async function makeDue(db: Db): Promise<void> {
  const rows = await db.selectFrom('subscription').selectAll().execute();
  for (const row of rows) {
    // A month before the 31st is the last day of a shorter one, as the product counts.
    const monthBefore = (at: Date): Date =>
      new Date(dueAt({ anchorMs: at.getTime(), timeZone: row.time_zone, shiftDays: 0 }, -1));
    await db
      .updateTable('subscription')
      .set({
        anchor_at: monthBefore(row.anchor_at),
        period_started_at: monthBefore(row.period_started_at),
        next_billing_at: row.anchor_at,
        next_action_at: row.anchor_at,
      })
      .where('id', '=', row.id)
      .execute();
  }
}
