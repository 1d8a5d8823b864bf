import { sql } from 'kysely';
import { daysOfPeriod } from '#shared/domain/billing-period.ts';
import type { Tx } from '../../db/database.ts';
import type { SubscriptionRow } from '../billing/subscription.repository.ts';
import { readUnpaidFrom } from '../detection/unpaid-posts.ts';
import { clockOf, paidTimeOf } from './subscription-clock.ts';

/** Writes down until when a locked subscription had the plan that it loses: posts taken before get that one. */
export function endPlan(tx: Tx, row: SubscriptionRow, untilAt: Date): Promise<void> {
  return insertPastPlan(tx, row, { untilAt, packageNumber: row.package, period: row.period });
}

/**
 * Writes down which plans posts have got until now, where the due day has begun that another plan was chosen
 * for. Call it before that choice or the due date of a locked subscription changes, and whatever comes then.
 */
export async function endChosenPlan(tx: Tx, row: SubscriptionRow, untilAt: Date): Promise<void> {
  const { next_package: packageNumber, state, period } = row;
  if (packageNumber === null || state !== 'Active') return;
  const chosenFrom = await readUnpaidFrom(tx, paidTimeOf(row));
  if (chosenFrom >= untilAt) return;
  await endPlan(tx, row, chosenFrom);
  await insertPastPlan(tx, row, { untilAt, packageNumber, period: period + 1 });
}

/**
 * The same where another plan is being chosen for the due date, whose day may have begun with posts of the present
 * one. Those of that morning that show up later are the other one's, which pays for the day.
 */
export async function endPlanBeforeChoice(tx: Tx, row: SubscriptionRow, now: Date): Promise<void> {
  if (row.next_package !== null) return endChosenPlan(tx, row, now);
  if (row.state !== 'Active') return;
  const unpaidFrom = await readUnpaidFrom(tx, paidTimeOf(row));
  if (unpaidFrom < now) await endPlan(tx, row, await firstUnserved(tx, row, unpaidFrom));
}

async function insertPastPlan(
  tx: Tx,
  row: SubscriptionRow,
  { untilAt, packageNumber, period }: { untilAt: Date; packageNumber: number; period: number },
): Promise<void> {
  await tx
    .insertInto('past_plan')
    .values({
      workspace_id: row.workspace_id,
      subscription_id: row.id,
      until_at: untilAt,
      package: packageNumber,
      period_days: daysOfPeriod(clockOf(row), period),
    })
    // Of two upgrades in one instant the first one ended the plan that held before it.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * The first moment from `at` on whose post no automatic order of the subscription has served yet. Nobody
 * decides posts of its account until the end of the transaction.
 */
export async function firstUnserved(tx: Tx, row: SubscriptionRow, at: Date): Promise<Date> {
  await tx
    .selectFrom('account_watch')
    .select('fence')
    .where('workspace_id', '=', row.workspace_id)
    .where('account_id', '=', row.account_id)
    .forUpdate()
    .execute();
  const { rows } = await sql<{ postedAt: Date | null }>`
    select max(posted_at) as "postedAt" from like_order
    where workspace_id = ${row.workspace_id} and subscription_id = ${row.id}
      and kind = 'automatic' and posted_at >= ${at}`.execute(tx);
  const last = rows[0]?.postedAt;
  return last ? new Date(last.getTime() + 1) : at;
}
