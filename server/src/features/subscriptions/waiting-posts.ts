import { sql } from 'kysely';
import { dayName, dayOf, dayUse } from '#shared/domain/day-use.ts';
import type { Tx } from '../../db/database.ts';
import { watchAgain } from '../accounts/account-watch.repository.ts';
import type { SubscriptionRow } from '../billing/subscription.repository.ts';
import { insertPendingDays, listOrderedDays } from '../fair-clock/subscription-day.repository.ts';
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
 * The period of a locked subscription has been paid: posts that waited are decided at the next reading.
 * The whole days on which posts waited are judged after it: those that have no order then move the due date.
 */
export async function releaseWaiting(tx: Tx, row: SubscriptionRow, now: Date): Promise<void> {
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
  await watchAgain(tx, { workspaceId: row.workspace_id, accountId: row.account_id, now });
}
