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
import { otherCardTooOften, paymentsWait, tooManyCards } from '../checkout/payment-error.ts';

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

const OTHER_CARDS = { own: LIMITS.otherCard, team: LIMITS.teamOtherCard };

/** Counts a payment with another card than was entered; null: who began it isn't known any more. */
export async function countOtherCard(
  deps: LimitDeps,
  { workspaceId, askedBy }: { workspaceId: WorkspaceId; askedBy: string | null },
): Promise<void> {
  if (askedBy === null) return;
  const caps = await capsOf(deps.database.db, { workspaceId, userId: askedBy }, OTHER_CARDS);
  for (const cap of caps) await isWithinLimit(deps, cap);
}

/**
 * What another card than the entered one has paid goes back at our cost, and a browser can pay whatever waits so: both
 * together stay within the limit. Who is to rely on it holds the workspace. What waits is read first, so that a
 * payment that settles meanwhile counts twice, and not never.
 * @throws ApiError `payment_unavailable`
 */
export async function refuseMoreOtherCards(
  deps: LimitDeps,
  attempt: InWorkspace & { attemptId: string },
): Promise<void> {
  const { db } = deps.database;
  const waiting = await countWaiting(db, attempt, attempt.attemptId);
  for (const cap of await capsOf(db, attempt, OTHER_CARDS)) {
    const left = await usesLeft(deps, cap);
    if (left === 0) throw otherCardTooOften(await waitOfFull(deps, cap));
    if (waiting[cap.of] >= left) throw paymentsWait();
  }
}
