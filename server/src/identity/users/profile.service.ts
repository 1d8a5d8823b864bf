import type { Deps } from '#server/kit/deps.ts';
import { limit, LIMITS } from '../limits/rate-limit.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { atHome, type Session } from '../sessions/session.service.ts';
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
  const home = atHome(session);
  const { workspaceId, userId: actor } = home;
  await limit(deps, { ...LIMITS.profile, key: actor });
  await deps.database.transaction(async (tx) => {
    await setProfile(tx, home, profile);
    const now = new Date(deps.clock.now());
    await appendAudit(tx, { workspaceId, actor, action: 'profile_changed', now });
  });
}
