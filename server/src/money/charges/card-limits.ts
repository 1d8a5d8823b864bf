import type { Db } from '#server/kit/db/database.ts';
import type { InWorkspace } from '#server/kit/db/people.ts';
import type { Deps } from '#server/kit/deps.ts';
import { LIMITS, usesBeyondLimit, waitOfFull } from '#server/identity/limits/rate-limit.ts';
import { personCaps } from '#server/identity/members/person-caps.ts';
import { tooManyCards } from './payment-error.ts';

/**
 * Counts one new card: who tries stolen ones here needs many.
 * @throws ApiError `payment_unavailable`
 */
export async function limitNewCards(
  deps: Pick<Deps, 'clock' | 'settings'> & { database: { db: Db } },
  person: InWorkspace,
): Promise<void> {
  for (const cap of await personCaps(deps.database.db, person, LIMITS.newCard)) {
    if ((await usesBeyondLimit(deps, cap)) > 0) throw tooManyCards(await waitOfFull(deps, cap));
  }
}
