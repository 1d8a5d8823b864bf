import type { Db } from '#server/kit/db/database.ts';
import type { InWorkspace } from '#server/kit/db/people.ts';
import type { Deps } from '#server/kit/deps.ts';
import { type Limit, limitAll } from '../limits/rate-limit.ts';
import { findMembership } from './membership.repository.ts';

/** What one use counts against: a person's own limit, or the one that owners or all others have together. */
type PersonCap = Limit & { of: 'own' | 'owners' | 'team'; key: string };

const SHARED_TIMES = 3;

/**
 * Everybody has the limit, and shares one of three times as many, so that no number of people has more
 * (docs/decisions/0053): owners share theirs and all others theirs. Whose home the workspace is shares with nobody, and
 * can't be shut out.
 * @param about what is counted apart, such as an account; without it all of the workspace counts together
 */
export async function personCaps(
  db: Db,
  person: InWorkspace,
  limit: Limit,
  about: string = person.workspaceId,
): Promise<PersonCap[]> {
  const { workspaceId, userId } = person;
  const own: PersonCap = { ...limit, of: 'own', key: `${about}:${userId}` };
  const shared = (of: 'owners' | 'team'): PersonCap => ({
    ...limit,
    of,
    name: `${of}-${limit.name}`,
    uses: limit.uses * SHARED_TIMES,
    key: about,
  });
  const member = await findMembership(db, person);
  if (member?.role !== 'Owner') return [own, shared('team')];
  return member.home_workspace_id === workspaceId ? [own] : [own, shared('owners')];
}

/**
 * Counts one use of a person's.
 * @throws ApiError `rate_limited`
 */
export async function limitPerson(
  deps: Pick<Deps, 'clock' | 'settings'> & { database: { db: Db } },
  person: InWorkspace,
  limit: Limit,
  about?: string,
): Promise<void> {
  await limitAll(deps, await personCaps(deps.database.db, person, limit, about));
}
