import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { claimOwnership, deleteProof } from '#server/network/accounts/ownership.repository.ts';
import { forfeitRefundRight, freeRefundRight } from './refund-right.repository.ts';
import {
  auditSubscription,
  changeSubscription,
  lockSubscription,
  oweMail,
} from './subscription-work.repository.ts';
import {
  findReservation,
  lockReservation,
  moveReservation,
  type ReservationRow,
  reserveNetworkAccount,
  type SubscriptionRow,
} from './subscription.repository.ts';
import { dayStart } from '#shared/domain/money/day-use.ts';
import { pauseBounds, planPause } from '#shared/domain/money/pause.ts';
import type { IgId, WorkspaceId } from '#shared/domain/ids.ts';
import { stopPolling } from '#server/network/accounts/poll-schedule.repository.ts';
import { giveDays } from './subscription-day.repository.ts';
import { endForAnother } from './end-subscription.ts';
import { deletePause, insertPause } from './pause.repository.ts';
import { periodStart } from './subscription-clock.ts';

/** A network account, and the paid checkout of who has shown that it is theirs. */
interface ProvedCheckout {
  workspaceId: WorkspaceId;
  subscriptionId: string;
  igId: IgId;
  accountHash: string;
}

/**
 * Makes a network account the checkout's: another plan for it is displaced, and its money-back is free
 * again. The proof has counted then.
 *
 * Locks are taken in the order subscription, reservation, as everywhere.
 *
 * @returns false: somebody else showed lately that it is theirs, or it changed hands just now
 */
export async function adoptAccount(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  checkout: ProvedCheckout,
  now: Date,
): Promise<boolean> {
  const { workspaceId, igId, accountHash } = checkout;
  const holder = await findReservation(tx, igId);
  if (!(await takeReservation(tx, deps, checkout, { holder, now }))) return false;
  await freeRefundRight(tx, accountHash, workspaceId);
  await deleteProof(tx, { workspaceId, igId });
  return true;
}

async function takeReservation(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  { workspaceId, subscriptionId, igId, accountHash }: ProvedCheckout,
  { holder, now }: { holder: ReservationRow | undefined; now: Date },
): Promise<boolean> {
  const ours = { ig_id: igId, workspace_id: workspaceId, subscription_id: subscriptionId };
  if (!holder) return reserveNetworkAccount(tx, ours);
  if (holder.subscription_id === subscriptionId) return true;
  const other = { workspaceId: holder.workspace_id, subscriptionId: holder.subscription_id };
  const displaced = await lockSubscription(tx, other);
  const held = await lockReservation(tx, igId);
  if (held?.subscription_id !== holder.subscription_id) return false;
  if (!(await claimOwnership(tx, { accountHash, workspaceId, now }))) return false;
  // Without a subscription it is a payment under way, whose money goes back when it arrives.
  if (displaced) {
    await displaceSubscription(tx, deps, displaced, now);
    await forfeitRefundRight(tx, accountHash, displaced);
  }
  await moveReservation(tx, ours);
  return true;
}

/**
 * Somebody else has shown that a locked subscription's network account is theirs (D6). It waits, paused, for
 * another account, as long as a pause may last; no money moves. One whose payment is due has nothing to wait with.
 */
async function displaceSubscription(
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
    return oweMail(tx, deps, row.workspace_id, stopped, now);
  }
  const until = await pauseFromNow(tx, row, now);
  await stopPolling(tx, { workspaceId: row.workspace_id, accountId: row.account_id });
  const displaced = {
    kind: 'subscription_displaced',
    ...mail,
    until: until.toISOString(),
  } as const;
  return oweMail(tx, deps, row.workspace_id, displaced, now);
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
