import { sql } from 'kysely';
import { UNDECIDED } from '#shared/domain/delivery/automatic-likes.ts';
import { dayName, dayOf, dayUse } from '#shared/domain/money/day-use.ts';
import type { Tx } from '#server/kit/db/database.ts';
import { pollAgain } from '#server/network/accounts/poll-schedule.repository.ts';
import type { SubscriptionRow } from './subscription.repository.ts';
import { listOrderedDays } from '#server/delivery/automatic/automatic-slot.repository.ts';
import { insertPendingDays } from './subscription-day.repository.ts';
import { FIRST_RETRY_MS } from './subscription-clock.ts';
import { keyOf } from './subscription-work.repository.ts';

/**
 * From when on the posts of an unpaid period wait: from the first retry, but once per network account in
 * 365 days only; the next time from the start (D5). Posts that wait stay undecided. Once it is paid they
 * are ordered as any others, the first four of each local day; when it never is, they get nothing.
 */
export async function firstWaiting(tx: Tx, row: SubscriptionRow, now: Date): Promise<Date> {
  const { rows } = await sql`
    insert into late_payment_grace (ig_id, granted_at) values (${row.ig_id}, ${now})
    on conflict (ig_id) do update set granted_at = excluded.granted_at
      where late_payment_grace.granted_at <= ${now}::timestamptz - interval '365 days'
    returning 1`.execute(tx);
  return rows.length > 0 ? new Date(now.getTime() + FIRST_RETRY_MS) : now;
}

/**
 * Sends the account of a locked subscription to replicas again: when its posts begin to wait no row changes, and
 * members who don't see money are told only that posts wait, not since when.
 */
export async function tellWaiting(tx: Tx, row: SubscriptionRow): Promise<void> {
  const { workspace_id: workspaceId, account_id: accountId } = row;
  await sql`select sync_touch(sync_line(${workspaceId}, 'w:' || ${workspaceId}::text, 'account',
    ${accountId}::text, false))`.execute(tx);
}

/**
 * The period of a locked subscription has been paid: posts that waited are decided at the next reading.
 * The whole days on which posts waited are judged after it: those that have no order then move the due date.
 */
export async function releaseWaiting(tx: Tx, row: SubscriptionRow, now: Date): Promise<void> {
  await payAdvance(tx, row);
  await decideWaiting(tx, row, now);
  const { posts_wait_since: since, time_zone: timeZone } = row;
  if (!since || since > now) return;
  const key = keyOf(row);
  const ordered = await listOrderedDays(tx, key, dayOf(since.getTime(), timeZone));
  const { unused } = dayUse({
    fromMs: since.getTime(),
    untilMs: now.getTime(),
    timeZone,
    ordered,
  });
  const days = unused.map((day) => ({
    ...key,
    localDay: dayName(day),
    cause: 'past_due' as const,
  }));
  await insertPendingDays(tx, days, now);
}

/** What a locked subscription had served in advance has been paid. */
export async function payAdvance(tx: Tx, row: SubscriptionRow): Promise<void> {
  await sql`delete from unpaid_advance where subscription_id = ${row.id}`.execute(tx);
}

/** Lets the next reading decide the posts that wait for a payment, if there are any. */
export async function decideWaiting(tx: Tx, row: SubscriptionRow, now: Date): Promise<void> {
  const { workspace_id: workspaceId, account_id: accountId } = row;
  const waiting = await tx
    .selectFrom('post')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('automatic_outcome', '=', UNDECIDED)
    .where('deleted_at', 'is', null)
    .where('taken_at', '>=', row.baseline_read_at)
    .limit(1)
    .executeTakeFirst();
  if (waiting) await pollAgain(tx, { workspaceId, accountId, now });
}
