import { ApiError } from '../../api-error.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { paymentBeingChecked } from '../../http/submit.service.ts';
import { findAccountByUsername } from '../accounts/account.repository.ts';
import { stopWatching } from '../accounts/account-watch.repository.ts';
import type { SubscriptionRow } from '../billing/subscription.repository.ts';
import { lockWorkspace } from '../users/workspace-lock.ts';
import { auditSubscription } from './audit-subscription.ts';
import { endSubscription } from './end-subscription.ts';
import { type ResumeDeps, resumeSubscription } from './resume.service.ts';
import { sendMail } from './send-mail.ts';
import { DAY_MS, periodStart } from './subscription-clock.ts';
import {
  changeSubscription,
  isBeingCharged,
  keyOf,
  lockUnended,
} from './subscription-work.repository.ts';

type ExitDeps = Pick<Deps, 'clock' | 'database' | 'ids'>;

/** The account a call is about, as its customer knows it. */
export interface AccountName {
  workspaceId: string;
  igUsername: string;
  /** Who asks, for the audit log. */
  actor?: string;
}

const LONGEST_PAUSE_MS = 180 * DAY_MS;

/**
 * Stops at the end of the period paid for; at once where none is (unpaid, or being paid just now). A
 * paused plan stays paused, goes on when its pause ends, and stops when what is paid for is used up.
 */
export function cancelSubscription(deps: ExitDeps, name: AccountName): Promise<Date> {
  return withSubscription(deps, name, async (tx, row, now) => {
    if (row.ends_at) return row.ends_at;
    const isPaused = row.state === 'Paused';
    const isPaid = isPaused || (row.state === 'Active' && row.next_billing_at > now);
    if (!isPaid) return stop(tx, deps, { row, now, ...name });
    const dates = isPaused ? datesOfPause(row, now) : undefined;
    const endsAt = dates?.next_billing_at ?? row.next_billing_at;
    await changeSubscription(tx, row, { ...dates, ends_at: endsAt, next_package: null });
    const mail = {
      kind: 'subscription_ending',
      subscriptionId: row.id,
      endsAt: endsAt.toISOString(),
      isPaused,
    } as const;
    await sendMail(tx, deps, row.workspace_id, mail, now);
    const { actor } = name;
    await auditSubscription(tx, row, { action: 'subscription_cancelled', actor, now });
    return endsAt;
  });
}

/** A pause that is longer than planned, its account unreadable, has moved the due date by so much more. */
function datesOfPause(row: SubscriptionRow, now: Date) {
  const pausedMs = row.paused_ms + now.getTime() - (row.paused_at ?? now).getTime();
  const plannedDays = Math.max(row.planned_pause_days, Math.floor(pausedMs / DAY_MS));
  const shiftDays = row.shift_days - row.planned_pause_days + plannedDays;
  return {
    planned_pause_days: plannedDays,
    shift_days: shiftDays,
    next_billing_at: periodStart({ ...row, shift_days: shiftDays }, row.period + 1),
  };
}

/** Stops likes and charges at once. */
export function stopNow(deps: ExitDeps, name: AccountName): Promise<Date> {
  return withSubscription(deps, name, (tx, row, now) => stop(tx, deps, { row, now, ...name }));
}

interface Stop {
  row: SubscriptionRow;
  now: Date;
  actor?: string;
}

async function stop(tx: Tx, deps: ExitDeps, { row, now, actor }: Stop): Promise<Date> {
  await endSubscription(tx, row, { state: 'Canceled', now });
  const stoppedAt = now.toISOString();
  const mail = { kind: 'subscription_stopped', subscriptionId: row.id, stoppedAt } as const;
  await sendMail(tx, deps, row.workspace_id, mail, now);
  await auditSubscription(tx, row, { action: 'subscription_stopped', actor, now });
  return now;
}

/**
 * No likes until then; the whole days of the pause move the due date.
 * @throws ApiError `invalid_input`, `not_found`, `subscription_state`, `payment_unknown`
 */
export function pauseSubscription(deps: ExitDeps, name: AccountName, until: Date): Promise<void> {
  return withSubscription(deps, name, async (tx, row, now) => {
    checkPause(row, until, now);
    if (await isBeingCharged(tx, keyOf(row))) throw paymentBeingChecked();
    const plannedMs = row.paused_ms + until.getTime() - now.getTime();
    const plannedDays = Math.floor(plannedMs / DAY_MS);
    const shiftDays = row.shift_days + plannedDays;
    await changeSubscription(tx, row, {
      state: 'Paused',
      paused_at: now,
      resumes_at: until,
      planned_pause_days: plannedDays,
      shift_days: shiftDays,
      next_billing_at: periodStart({ ...row, shift_days: shiftDays }, row.period + 1),
    });
    const { workspace_id: workspaceId, account_id: accountId } = row;
    await stopWatching(tx, { workspaceId, accountId });
    const mail = {
      kind: 'subscription_paused',
      subscriptionId: row.id,
      resumesAt: until.toISOString(),
    } as const;
    await sendMail(tx, deps, workspaceId, mail, now);
    const { actor } = name;
    await auditSubscription(tx, row, { action: 'subscription_paused', actor, now });
  });
}

function checkPause(row: SubscriptionRow, until: Date, now: Date): void {
  const forMs = until.getTime() - now.getTime();
  if (forMs <= 0 || forMs > LONGEST_PAUSE_MS) {
    const message = 'Please choose a day within the next 180 days';
    throw new ApiError('invalid_input', message, { fields: { until: message } });
  }
  if (row.state === 'Paused') {
    throw notNow('This plan is paused already. Resume it first to choose another day.');
  }
  if (row.state === 'Past due' || row.next_billing_at <= now) {
    throw notNow('A payment for this plan is due. Please pay it before you pause the plan.');
  }
  if (row.ends_at) {
    throw notNow('This plan is about to stop. Take the stop back before you pause it.');
  }
}

/**
 * Ends a pause (a stop at period end stays), or takes a stop at period end back.
 * @throws ApiError `not_found`, `subscription_state`, `network_throttled`, `network_unreachable`,
 * `account_unreadable`
 */
export async function resume(deps: ResumeDeps, name: AccountName): Promise<void> {
  const paused = await withSubscription(deps, name, async (tx, row, now) => {
    if (row.state === 'Paused') return row;
    if (!row.ends_at) throw notNow('This plan is running; there is nothing to resume.');
    await changeSubscription(tx, row, { ends_at: null });
    const nextBillingAt = row.next_billing_at.toISOString();
    const mail = { kind: 'subscription_resumed', subscriptionId: row.id, nextBillingAt } as const;
    await sendMail(tx, deps, row.workspace_id, mail, now);
    const { actor } = name;
    await auditSubscription(tx, row, { action: 'subscription_resumed', actor, now });
    return undefined;
  });
  if (!paused) return;
  switch (await resumeSubscription(deps, keyOf(paused), name.actor)) {
    case 'resumed':
    case 'not_paused':
      return;
    case 'unreadable':
      throw new ApiError(
        'account_unreadable',
        `@${name.igUsername} can’t be read at the moment, so the plan stays paused. Is it still public and under this name?`,
      );
    case 'throttled':
      throw new ApiError(
        'network_throttled',
        'The social network lets us ask no more for the moment. The plan stays paused; please try again shortly.',
      );
    case 'unreachable':
      throw new ApiError(
        'network_unreachable',
        'The social network doesn’t answer at the moment. The plan stays paused; please try again shortly.',
      );
  }
}

/**
 * Works on the running subscription of an account, locked. Where none runs (any more, behind the
 * lock: a twin may have ended it), `ended` may have the answer.
 * @throws ApiError `not_found`: no such account here, or it has no plan; `session_ended`
 */
export async function withSubscription<T>(
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  { workspaceId, igUsername }: AccountName,
  work: (tx: Tx, row: SubscriptionRow, now: Date) => Promise<T>,
  ended?: (tx: Tx, accountId: string) => Promise<T | undefined>,
): Promise<T> {
  const account = await findAccountByUsername(database.db, workspaceId, igUsername);
  if (!account) {
    throw new ApiError('not_found', `@${igUsername} isn’t one of your connected accounts.`);
  }
  return database.transaction(async (tx) => {
    const row = await lockUnended(tx, workspaceId, account.id);
    await lockWorkspace(tx, workspaceId);
    if (row) return work(tx, row, new Date(clock.now()));
    const known = await ended?.(tx, account.id);
    if (known === undefined) throw new ApiError('not_found', `@${igUsername} has no plan.`);
    return known;
  });
}

/** What was asked for doesn't fit how the subscription stands. */
export function notNow(message: string): ApiError {
  return new ApiError('subscription_state', message);
}
