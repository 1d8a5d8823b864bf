import type { Device } from '#shared/contract/people/own-account.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { endOwnSession } from './end-sessions.repository.ts';
import { type DeviceRow, listLiveSessions } from './session.repository.ts';
import { atHome, type Session } from './session.service.ts';

type DeviceDeps = Pick<Deps, 'clock' | 'database'>;

/** A browser as its person sees it. */
export function viewDevice(row: DeviceRow): Omit<Device, 'isThis'> {
  return {
    id: row.id,
    userAgent: row.user_agent,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
  };
}

/** The browsers in which the customer is signed in, the one seen last first. */
export async function listDevices(deps: DeviceDeps, session: Session): Promise<Device[]> {
  const rows = await listLiveSessions(
    deps.database.db,
    atHome(session),
    new Date(deps.clock.now()),
  );
  return rows.map((row) => ({ ...viewDevice(row), isThis: row.id === session.sessionId }));
}

/** @throws ApiError `not_found`: no such session, not the customer's, or over */
export async function endDevice(
  deps: DeviceDeps,
  session: Session,
  sessionId: string,
): Promise<Device[]> {
  const home = atHome(session);
  const { workspaceId, userId: actor } = home;
  const subject = sessionId.toLowerCase();
  await deps.database.transaction(async (tx) => {
    const now = new Date(deps.clock.now());
    if (!(await endOwnSession(tx, home, subject, now))) {
      throw new ApiError('not_found', 'That browser is already logged out.');
    }
    await appendAudit(tx, { workspaceId, actor, action: 'session_ended', subject, now });
  });
  return listDevices(deps, session);
}
