import { ApiError } from '../../api-error.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { findAccountByUsername } from '../accounts/account.repository.ts';
import type { SubscriptionRow } from '../billing/subscription.repository.ts';
import { lockWorkspace } from '../users/workspace-lock.ts';
import { auditSubscription } from './audit-subscription.ts';
import { endSubscription } from './end-subscription.ts';
import { endChosenPlan } from './past-plan.repository.ts';
import { sendMail } from './send-mail.ts';
import { changeSubscription, lockUnended } from './subscription-work.repository.ts';

type ExitDeps = Pick<Deps, 'clock' | 'database' | 'ids'>;

/** The account a call is about, as its customer knows it. */
export interface AccountName {
  workspaceId: string;
  igUsername: string;
  /** Who asks, for the audit log. */
  actor?: string;
}

/**
 * Stops at the end of the period paid for; at once where none is (unpaid, or being paid just now). A
 * paused plan stays paused, goes on when its pause ends, and stops when what is paid for is used up.
 */
export function cancelSubscription(deps: ExitDeps, name: AccountName): Promise<Date> {
  return withSubscription(deps, name, async (tx, row, now) => {
    if (row.ends_at) return row.ends_at;
    const isPaused = row.pauses_at !== null;
    const isPaid = isPaused || (row.state === 'Active' && row.next_billing_at > now);
    if (!isPaid) return stop(tx, deps, { row, now, ...name });
    const endsAt = row.next_billing_at;
    await endChosenPlan(tx, row, now);
    await changeSubscription(tx, row, { ends_at: endsAt, next_package: null });
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
  await endSubscription(tx, deps, row, { state: 'Canceled', now });
  const stoppedAt = now.toISOString();
  const mail = { kind: 'subscription_stopped', subscriptionId: row.id, stoppedAt } as const;
  await sendMail(tx, deps, row.workspace_id, mail, now);
  await auditSubscription(tx, row, { action: 'subscription_stopped', actor, now });
  return now;
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
