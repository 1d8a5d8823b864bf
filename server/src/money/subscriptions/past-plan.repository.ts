import { sql } from 'kysely';
import { daysOfPeriod } from '#shared/domain/money/billing-period.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { SubscriptionRow } from './subscription.repository.ts';
import { readUnpaidFrom } from '#server/delivery/automatic/unpaid-posts.ts';
import { clockOf, paidTimeOf } from './subscription-clock.ts';

/**
 * Writes down until when a locked subscription had the plan that it loses: posts taken before get that one.
 * @param closedDay of which it serves none any more
 */
export function endPlan(
  tx: Tx,
  row: SubscriptionRow,
  untilAt: Date,
  closedDay: string | null = null,
): Promise<void> {
  const { package: packageNumber, period } = row;
  return insertPastPlan(tx, row, { untilAt, packageNumber, period, closedDay });
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
  await insertPastPlan(tx, row, { untilAt, packageNumber, period: period + 1, closedDay: null });
}

/** The same where another plan is being chosen for the due date, whose day may have begun with posts of the present one. */
export async function endPlanBeforeChoice(tx: Tx, row: SubscriptionRow, now: Date): Promise<void> {
  if (row.next_package !== null) return endChosenPlan(tx, row, now);
  if (row.state !== 'Active') return;
  const unpaidFrom = await readUnpaidFrom(tx, paidTimeOf(row));
  if (unpaidFrom < now) await endPlan(tx, row, await firstUnserved(tx, row, now));
}

interface EndedPlan {
  untilAt: Date;
  packageNumber: number;
  period: number;
  closedDay: string | null;
}

async function insertPastPlan(
  tx: Tx,
  row: SubscriptionRow,
  { untilAt, packageNumber, period, closedDay }: EndedPlan,
): Promise<void> {
  await tx
    .insertInto('past_plan')
    .values({
      workspace_id: row.workspace_id,
      subscription_id: row.id,
      until_at: untilAt,
      package: packageNumber,
      period_days: daysOfPeriod(clockOf(row), period),
      closed_day: closedDay,
    })
    // Of two upgrades in one instant the first one ended the plan that held before it.
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'subscription_id', 'until_at'])
        .doUpdateSet({ closed_day: sql`coalesce(past_plan.closed_day, excluded.closed_day)` }),
    )
    .execute();
}

/**
 * Plans that held on days which the plan that begins is paid for served posts until now: those that show up
 * later are of the one that begins. Decisions are held.
 */
export async function supersedePlans(
  tx: Tx,
  row: SubscriptionRow,
  paidFrom: Date,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('past_plan')
    .set({ superseded_at: now })
    .where('workspace_id', '=', row.workspace_id)
    .where('subscription_id', '=', row.id)
    .where('until_at', '>', paidFrom)
    .where('superseded_at', 'is', null)
    .execute();
}

/** Nobody decides posts of a locked subscription's account until the end of the transaction. */
export async function holdDecisions(tx: Tx, row: SubscriptionRow): Promise<void> {
  await tx
    .selectFrom('poll_schedule')
    .select('fence')
    .where('workspace_id', '=', row.workspace_id)
    .where('account_id', '=', row.account_id)
    .forUpdate()
    .execute();
}

/** The first moment from `at` on whose post no automatic order of the subscription serves; decisions are held. */
export async function firstUnserved(tx: Tx, row: SubscriptionRow, at: Date): Promise<Date> {
  await holdDecisions(tx, row);
  const { rows } = await sql<{ postedAt: Date | null }>`
    select max(posted_at) as "postedAt" from like_order
    where workspace_id = ${row.workspace_id} and subscription_id = ${row.id}
      and kind = 'automatic' and posted_at >= ${at}`.execute(tx);
  const last = rows[0]?.postedAt;
  return last ? new Date(last.getTime() + 1) : at;
}
