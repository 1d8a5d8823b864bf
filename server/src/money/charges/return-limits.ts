import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { isWithinLimit, LIMITS, usesLeft, waitOfFull } from '#server/identity/limits/rate-limit.ts';
import type { InWorkspace } from '#server/identity/members/membership.repository.ts';
import { personCaps } from '#server/identity/members/person-caps.ts';
import { paymentsWait, returnedTooOften } from './payment-error.ts';
import { countWaiting } from './waiting-charge.repository.ts';

type LimitDeps = Pick<Deps, 'clock' | 'settings'> & { database: { db: Db } };

/**
 * Counts a payment that bought nothing: with another card than was entered, or for what its own customer stopped while
 * the bank asked. Null: who began it isn't known any more. Those of changes of many count by themselves: a colleague can
 * stop the plans meanwhile, and whoever began the change can still buy.
 */
export async function countReturned(
  deps: LimitDeps,
  returned: { workspaceId: WorkspaceId; askedBy: string | null; isPresent: boolean },
): Promise<void> {
  const { workspaceId, askedBy, isPresent } = returned;
  if (askedBy === null) return;
  const person = { workspaceId, userId: askedBy };
  const limit = isPresent ? LIMITS.returned : LIMITS.returnedOfMany;
  const caps = await personCaps(deps.database.db, person, limit);
  for (const cap of caps) await isWithinLimit(deps, cap);
}

/**
 * What bought nothing goes back at our cost, and whatever waits can be paid so: both together stay within the limit. Who
 * is to rely on it holds the workspace. What waits is read first, so that a payment that settles meanwhile counts twice,
 * and not never.
 * @throws ApiError `payment_unavailable`
 */
export async function refuseMoreReturns(
  deps: LimitDeps,
  attempt: InWorkspace & { attemptId: string; isAbsent?: boolean },
): Promise<void> {
  const { db } = deps.database;
  if (attempt.isAbsent) {
    for (const cap of await personCaps(db, attempt, LIMITS.returnedOfMany)) {
      if ((await usesLeft(deps, cap)) === 0) throw returnedTooOften(await waitOfFull(deps, cap));
    }
  }
  const waiting = await countWaiting(db, attempt, attempt.attemptId);
  for (const cap of await personCaps(db, attempt, LIMITS.returned)) {
    const left = await usesLeft(deps, cap);
    if (left === 0) throw returnedTooOften(await waitOfFull(deps, cap));
    if (waiting[cap.of] >= left) throw paymentsWait();
  }
}
