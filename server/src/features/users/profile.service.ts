import type { Deps } from '../../deps.ts';
import { appendAudit } from '../audit/audit.repository.ts';
import type { Session } from './session.service.ts';
import { setProfile } from './user.repository.ts';

/** Saves name, phone and time zone; running subscriptions keep the zone of their checkout (D5). */
export async function updateProfile(
  deps: Pick<Deps, 'clock' | 'database'>,
  session: Session,
  profile: { name: string; phone: string; timeZone: string },
): Promise<void> {
  const { workspaceId, userId: actor } = session;
  await deps.database.transaction(async (tx) => {
    await setProfile(tx, session, profile);
    const now = new Date(deps.clock.now());
    await appendAudit(tx, { workspaceId, actor, action: 'profile_changed', now });
  });
}
