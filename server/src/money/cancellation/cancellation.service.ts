import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import {
  findAccountByUsername,
  getAccountByUsername,
} from '#server/network/accounts/account.repository.ts';
import type { SubscriptionRow } from '../subscriptions/subscription.repository.ts';
import { lockWorkspace } from '#server/identity/users/workspace-lock.repository.ts';
import {
  auditSubscription,
  changeSubscription,
  keyOf,
  lockUnended,
  oweMail,
} from '../subscriptions/subscription-work.repository.ts';
import { comingPlan } from '../subscriptions/subscription-clock.ts';
import { countRaise } from '../checkout/spend-limit.ts';
import { endSubscription } from '../subscriptions/end-subscription.ts';
import { endChosenPlan } from '../subscriptions/past-plan.repository.ts';
import { LIMITS } from '#server/identity/limits/rate-limit.ts';
import { limitPerson } from '#server/identity/members/person-caps.ts';

type CancellationDeps = Pick<Deps, 'clock' | 'database' | 'ids'>;

/** The account a call is about, as its customer knows it. */
export interface AccountName {
  workspaceId: WorkspaceId;
  igUsername: string;
  /** Who asks, for the audit log. */
  actor?: string;
  /** Looks at the running subscription while it is held; what it throws stops the work. */
  check?: (row: SubscriptionRow, tx: Tx) => Promise<void>;
  /** Nobody is told by mail: one mail tells of many accounts. */
  isQuiet?: boolean;
}

/**
 * Stops at the end of the period paid for; at once where none is (unpaid, or being paid just now). A
 * paused plan stays paused, goes on when its pause ends, and stops when what is paid for is used up.
 */
export function cancelSubscription(deps: CancellationDeps, name: AccountName): Promise<Date> {
  return withSubscription(deps, name, async (tx, row, now) => {
    if (row.ends_at) return row.ends_at;
    const isPaused = row.pauses_at !== null;
    const isPaid = isPaused || (row.state === 'Active' && row.next_billing_at > now);
    if (!isPaid) return stop(tx, deps, { row, now, ...name });
    const endsAt = row.next_billing_at;
    await countEnd(tx, row, name.actor, now);
    await endChosenPlan(tx, row, now);
    await changeSubscription(tx, row, { ends_at: endsAt, next_package: null });
    const mail = {
      kind: 'subscription_ending',
      subscriptionId: row.id,
      endsAt: endsAt.toISOString(),
      isPaused,
    } as const;
    if (!name.isQuiet) await oweMail(tx, deps, row.workspace_id, mail, now);
    const { actor } = name;
    await auditSubscription(tx, row, { action: 'subscription_cancelled', actor, now });
    return endsAt;
  });
}

/** Whoever takes it back themselves spends nothing more by that. */
function countEnd(tx: Tx, row: SubscriptionRow, actor: string | undefined, now: Date) {
  const { priceCents } = comingPlan(row);
  const end = {
    addedMonthlyCents: -priceCents,
    end: 'set',
    isFirst: row.next_package === null,
  } as const;
  return countRaise(tx, { ...keyOf(row), ...end }, actor, now);
}

/** Stops likes and charges at once. */
export function stopNow(deps: CancellationDeps, name: AccountName): Promise<Date> {
  return withSubscription(deps, name, (tx, row, now) => stop(tx, deps, { row, now, ...name }));
}

interface Stop {
  row: SubscriptionRow;
  now: Date;
  actor?: string;
  isQuiet?: boolean;
}

async function stop(
  tx: Tx,
  deps: CancellationDeps,
  { row, now, actor, isQuiet = false }: Stop,
): Promise<Date> {
  await endSubscription(tx, deps, row, { state: 'Canceled', now });
  const stoppedAt = now.toISOString();
  const mail = { kind: 'subscription_stopped', subscriptionId: row.id, stoppedAt } as const;
  if (!isQuiet) await oweMail(tx, deps, row.workspace_id, mail, now);
  await auditSubscription(tx, row, { action: 'subscription_stopped', actor, now });
  return now;
}

/**
 * Works on the running subscription of an account, locked. Where none runs (any more, behind the
 * lock: a duplicate may have ended it), `ended` may have the answer.
 * @throws ApiError `not_found`: no such account here, or it has no plan; `session_ended`
 */
export async function withSubscription<T>(
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  { workspaceId, igUsername, check }: AccountName,
  work: (tx: Tx, row: SubscriptionRow, now: Date) => Promise<T>,
  ended?: (tx: Tx, accountId: AccountId) => Promise<T | undefined>,
): Promise<T> {
  const account = await getAccountByUsername(database.db, workspaceId, igUsername);
  return database.transaction(async (tx) => {
    const row = await lockUnended(tx, workspaceId, account.id);
    await lockWorkspace(tx, workspaceId);
    if (row) {
      await check?.(row, tx);
      return work(tx, row, new Date(clock.now()));
    }
    const known = await ended?.(tx, account.id);
    if (known === undefined) throw new ApiError('not_found', `@${igUsername} has no plan.`);
    return known;
  });
}

/** What was asked for doesn't fit how the subscription stands. */
export function notNow(message: string): ApiError {
  return new ApiError('subscription_state', message);
}

export const NOT_PAID_IN_TIME =
  'This plan wasn’t paid in time, so it’s ending now. You can choose a plan again in a few minutes.';

/**
 * Counts one call about the plan of an account; a name that isn't connected isn't counted.
 * @throws ApiError `rate_limited`
 */
export async function limitPlanCalls(
  deps: Pick<Deps, 'clock' | 'database' | 'settings'>,
  name: 'cancellation' | 'quote',
  { workspaceId, igUsername, actor: userId }: AccountName & { actor: string },
): Promise<void> {
  const account = await findAccountByUsername(deps.database.db, workspaceId, igUsername);
  if (account) await limitPerson(deps, { workspaceId, userId }, LIMITS[name], account.id);
}
