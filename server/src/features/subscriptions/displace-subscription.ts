import { dayStart } from '#shared/domain/day-use.ts';
import { pauseBounds, planPause } from '#shared/domain/pause.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { stopWatching } from '../accounts/account-watch.repository.ts';
import type { SubscriptionRow } from '../billing/subscription.repository.ts';
import { giveDays } from '../fair-clock/subscription-day.repository.ts';
import { auditSubscription } from './audit-subscription.ts';
import { endForAnother } from './end-subscription.ts';
import { sendMail } from './send-mail.ts';
import { deletePause, insertPause } from './pause.repository.ts';
import { periodStart } from './subscription-clock.ts';
import { changeSubscription } from './subscription-work.repository.ts';

/**
 * Somebody else has shown that a locked subscription's network account is theirs (D6). It waits, paused, for
 * another account, as long as a pause may last; no money moves. One whose payment is due has nothing to wait with.
 */
export async function displaceSubscription(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  row: SubscriptionRow,
  now: Date,
): Promise<void> {
  const mail = { subscriptionId: row.id } as const;
  await auditSubscription(tx, row, { action: 'subscription_displaced', now });
  if (row.state === 'Past due' || (row.state === 'Active' && row.next_billing_at <= now)) {
    await endForAnother(tx, row, { state: 'Canceled', now });
    const stopped = {
      kind: 'subscription_stopped',
      ...mail,
      stoppedAt: now.toISOString(),
    } as const;
    return sendMail(tx, deps, row.workspace_id, stopped, now);
  }
  const until = await pauseFromNow(tx, row, now);
  await stopWatching(tx, { workspaceId: row.workspace_id, accountId: row.account_id });
  const displaced = {
    kind: 'subscription_displaced',
    ...mail,
    until: until.toISOString(),
  } as const;
  return sendMail(tx, deps, row.workspace_id, displaced, now);
}

/** Likes stop at once, and the whole days from tomorrow on are given back, also where a pause runs already. */
async function pauseFromNow(tx: Tx, row: SubscriptionRow, now: Date): Promise<Date> {
  const nowMs = now.getTime();
  const { lastDay } = pauseBounds(nowMs, row.time_zone);
  const until = new Date(dayStart(lastDay, row.time_zone));
  const pause = planPause(nowMs, until.getTime(), row.time_zone);
  const added = pause ? await giveDays(tx, row, { days: pause.days, cause: 'paused', now }) : 0;
  const isPaused = row.state === 'Paused';
  if (row.pauses_at && !isPaused) await deletePause(tx, row);
  const dates = { pausesAt: (isPaused && row.pauses_at) || now, resumesAt: until };
  if (!isPaused) await insertPause(tx, row, dates);
  const shiftDays = row.shift_days + added;
  await changeSubscription(tx, row, {
    state: 'Paused',
    pauses_at: dates.pausesAt,
    resumes_at: until,
    displaced_at: now,
    shift_days: shiftDays,
    next_billing_at: periodStart({ ...row, shift_days: shiftDays }, row.period + 1),
  });
  return until;
}
