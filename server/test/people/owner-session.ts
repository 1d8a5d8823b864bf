import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';

/** The session of somebody who is alone in the workspace they signed up with. */
export function ownerSession(signedIn: {
  workspaceId: WorkspaceId;
  userId: string;
  sessionId: string;
}): Session {
  const { workspaceId, userId } = signedIn;
  return { ...signedIn, homeId: workspaceId, memberId: userId, role: 'Owner', allClients: true };
}
