import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db } from '#server/kit/db/database.ts';
import type { InWorkspace } from '#server/kit/db/people.ts';
import type { Deps } from '#server/kit/deps.ts';
import { isWithinLimit, LIMITS, usesLeft, waitOfFull } from '#server/identity/limits/rate-limit.ts';
import { personCaps } from '#server/identity/members/person-caps.ts';
import { paymentsWait, returnedTooOften } from './payment-error.ts';
import { countWaiting } from './waiting-charge.repository.ts';

type LimitDeps = Pick<Deps, 'clock' | 'settings'> & { database: { db: Db } };

/**
 * Counts a payment that bought nothing: it came from another card than was entered, or its customer stopped the plan
 * while the bank asked. `askedBy` is null where nobody knows any more who began it. Payments of bulk operations have a
 * limit of their own: a colleague can stop those plans meanwhile, and whoever began the operation can still buy.
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
 * A payment that bought nothing is returned at our cost, and any waiting payment may become one: both together stay
 * within the limit. The caller holds the workspace. Waiting payments are counted first, so that one that settles
 * meanwhile is counted twice rather than missed.
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
