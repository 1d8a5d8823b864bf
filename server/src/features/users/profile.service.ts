import type { Deps } from '../../deps.ts';
import { limit, LIMITS } from '../../http/rate-limit.ts';
import { appendAudit } from '../audit/audit.repository.ts';
import type { Session } from './session.service.ts';
import { setProfile } from './user.repository.ts';

/**
 * Saves name, phone and time zone; running subscriptions keep the zone of their checkout (D5).
 * @throws ApiError `rate_limited`
 */
export async function updateProfile(
  deps: Pick<Deps, 'clock' | 'database' | 'settings'>,
  session: Session,
  profile: { name: string; phone: string; timeZone: string },
): Promise<void> {
  const { workspaceId, userId: actor } = session;
  await limit(deps, { ...LIMITS.profile, key: actor });
  await deps.database.transaction(async (tx) => {
    await setProfile(tx, session, profile);
    const now = new Date(deps.clock.now());
    await appendAudit(tx, { workspaceId, actor, action: 'profile_changed', now });
  });
}
