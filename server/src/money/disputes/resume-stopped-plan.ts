import { dayOf } from '#shared/domain/money/day-use.ts';
import { pollAgain } from '#server/network/accounts/poll-schedule.repository.ts';
import type { Tx } from '#server/kit/db/database.ts';
import { giveDays, takeBackPausedDays } from '../subscriptions/subscription-day.repository.ts';
import { periodStart } from '../subscriptions/subscription-clock.ts';
import { isOnlyWaiting, takeNetworkAccount } from '../subscriptions/network-account.ts';
import {
  findUnendedSubscription,
  type SubscriptionRow,
} from '../subscriptions/subscription.repository.ts';
import {
  auditSubscription,
  changeSubscription,
} from '../subscriptions/subscription-work.repository.ts';
import { mayPlanGoOn } from './dispute.repository.ts';

/**
 * A dispute of this locked plan was won. Where it, or another one, had stopped the plan, what was paid for goes on.
 * The whole days between are given back, and with the period it ends, because whoever disputed a payment hasn't
 * agreed to another one; they can take that end back. It stays stopped where there is nothing left of it, money
 * back was asked for, another dispute holds it, or its account has another plan by now.
 *
 * @returns until when it runs; undefined: it stays stopped
 */
export async function resumeStoppedPlan(
  tx: Tx,
  row: SubscriptionRow,
  now: Date,
): Promise<Date | undefined> {
  const { state, ends_at: stoppedAt, next_billing_at: dueAt } = row;
  if (state !== 'Canceled' || !stoppedAt || dueAt <= stoppedAt) return undefined;
  const { workspace_id, id: subscription_id, ig_id, account_id: accountId } = row;
  if (await findUnendedSubscription(tx, workspace_id, accountId)) return undefined;
  if (!(await mayPlanGoOn(tx, row))) return undefined;
  const ours = { ig_id, workspace_id, subscription_id };
  if (!(await takeNetworkAccount(tx, ours, isOnlyWaiting))) return undefined;
  const today = dayOf(now.getTime(), row.time_zone);
  const firstDay = dayOf(stoppedAt.getTime(), row.time_zone) + 1;
  const days = Array.from({ length: Math.max(0, today - firstDay) }, (_, n) => firstDay + n);
  const given = await giveDays(tx, row, { days, cause: 'paused', now });
  // A pause that it ran into when it was stopped is over.
  const taken = await takeBackPausedDays(tx, row, today);
  const shiftDays = row.shift_days + given - taken;
  const endsAt = periodStart({ ...row, shift_days: shiftDays }, row.period + 1);
  await changeSubscription(tx, row, {
    state: 'Active',
    ends_at: endsAt,
    shift_days: shiftDays,
    next_billing_at: endsAt,
    baseline_read_at: now,
    baseline_post_ids: [],
  });
  await pollAgain(tx, { workspaceId: workspace_id, accountId, now });
  await auditSubscription(tx, row, { action: 'subscription_resumed', now });
  return endsAt;
}
