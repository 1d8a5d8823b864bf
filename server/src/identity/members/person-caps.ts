import type { Db } from '#server/kit/db/database.ts';
import type { Limit } from '../limits/rate-limit.ts';
import { findMembership, type InWorkspace } from './membership.repository.ts';

/** Everybody's own, and what owners and all others have together. */
export interface PersonLimits {
  own: Limit;
  owners: Limit;
  team: Limit;
}

/** What one use counts against. */
export type PersonCap = Limit & { of: keyof PersonLimits; key: string };

/**
 * Everybody's own, and a shared one, so that no number of people has more (docs/decisions/0053): owners share theirs and
 * all others theirs. Whose home the workspace is shares with nobody, and can't be shut out.
 */
export async function personCaps(
  db: Db,
  person: InWorkspace,
  { own, owners, team }: PersonLimits,
): Promise<PersonCap[]> {
  const { workspaceId, userId } = person;
  const first = { of: 'own', ...own, key: `${workspaceId}:${userId}` } as const;
  const member = await findMembership(db, person);
  if (member?.role !== 'Owner') return [first, { of: 'team', ...team, key: workspaceId }];
  if (member.home_workspace_id === workspaceId) return [first];
  return [first, { of: 'owners', ...owners, key: workspaceId }];
}
