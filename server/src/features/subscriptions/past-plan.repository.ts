import { daysOfPeriod } from '#shared/domain/billing-period.ts';
import type { Tx } from '../../db/database.ts';
import type { SubscriptionRow } from '../billing/subscription.repository.ts';
import { clockOf } from './subscription-clock.ts';

/** Writes down until when a locked subscription had the plan that it loses: posts taken before get that one. */
export async function endPlan(tx: Tx, row: SubscriptionRow, untilAt: Date): Promise<void> {
  await tx
    .insertInto('past_plan')
    .values({
      workspace_id: row.workspace_id,
      subscription_id: row.id,
      until_at: untilAt,
      package: row.package,
      period_days: daysOfPeriod(clockOf(row), row.period),
    })
    // Of two upgrades in one instant the first one ended the plan that held before it.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
