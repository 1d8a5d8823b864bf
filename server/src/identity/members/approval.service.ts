import { appendAudit } from '#server/audit/audit.repository.ts';
import type { Session } from '../sessions/session.service.ts';
import { asLead, type TeamDeps } from './members.service.ts';
import { setApprovalAbove } from './membership.repository.ts';

/** Says above which amount managers' changes of many accounts wait. @throws ApiError `not_allowed` */
export async function saveApproval(
  deps: TeamDeps,
  session: Session,
  approvalAbove: number | null,
): Promise<void> {
  const { workspaceId, userId: actor } = session;
  await asLead(deps, session, async (tx, now) => {
    await setApprovalAbove(tx, workspaceId, approvalAbove === null ? null : approvalAbove * 100);
    const action = 'approval_limit_changed';
    await appendAudit(tx, { workspaceId, actor, action, subject: workspaceId, now });
  });
}
