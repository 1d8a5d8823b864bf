import type { Db } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import {
  isWithinLimit,
  type Limit,
  LIMITS,
  usesBeyondLimit,
  usesLeft,
  waitOfFull,
} from '#server/identity/limits/rate-limit.ts';
import {
  findMembership,
  type InWorkspace,
} from '#server/identity/members/membership.repository.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { countWaiting } from '../charges/waiting-charge.repository.ts';
import { returnedTooOften, paymentsWait, tooManyCards } from '../checkout/payment-error.ts';

type LimitDeps = Pick<Deps, 'clock' | 'settings'> & { database: { db: Db } };

const ownKey = ({ workspaceId, userId }: InWorkspace) => `${workspaceId}:${userId}`;

/** Everybody's own, and what all but the owners have together: nobody uses up an owner's. */
async function capsOf(db: Db, person: InWorkspace, limits: { own: Limit; team: Limit }) {
  const own = { of: 'own', ...limits.own, key: ownKey(person) } as const;
  if ((await findMembership(db, person))?.role === 'Owner') return [own];
  return [own, { of: 'team', ...limits.team, key: person.workspaceId } as const];
}

/**
 * Counts one new card: who tries stolen ones here needs many.
 * @throws ApiError `payment_unavailable`
 */
export async function limitNewCards(deps: LimitDeps, person: InWorkspace): Promise<void> {
  const limits = { own: LIMITS.newCard, team: LIMITS.teamNewCard };
  for (const cap of await capsOf(deps.database.db, person, limits)) {
    if ((await usesBeyondLimit(deps, cap)) > 0) throw tooManyCards(await waitOfFull(deps, cap));
  }
}

const RETURNED = { own: LIMITS.returned, team: LIMITS.teamReturned };

/**
 * Counts a payment that bought nothing: with another card than was entered, or for what its own customer stopped while
 * the bank asked. Null: who began it isn't known any more.
 */
export async function countReturned(
  deps: LimitDeps,
  { workspaceId, askedBy }: { workspaceId: WorkspaceId; askedBy: string | null },
): Promise<void> {
  if (askedBy === null) return;
  const caps = await capsOf(deps.database.db, { workspaceId, userId: askedBy }, RETURNED);
  for (const cap of caps) await isWithinLimit(deps, cap);
}

/**
 * What bought nothing goes back at our cost, and whatever waits can be paid so: both together stay within the limit. Who is to rely on it holds the workspace. What waits is read first, so that a
 * payment that settles meanwhile counts twice, and not never.
 * @throws ApiError `payment_unavailable`
 */
export async function refuseMoreReturns(
  deps: LimitDeps,
  attempt: InWorkspace & { attemptId: string },
): Promise<void> {
  const { db } = deps.database;
  const waiting = await countWaiting(db, attempt, attempt.attemptId);
  for (const cap of await capsOf(db, attempt, RETURNED)) {
    const left = await usesLeft(deps, cap);
    if (left === 0) throw returnedTooOften(await waitOfFull(deps, cap));
    if (waiting[cap.of] >= left) throw paymentsWait();
  }
}
