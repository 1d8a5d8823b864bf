import type { Team } from '#shared/contract/people/team.ts';
import { may } from '#shared/domain/people/may.ts';
import { dollarsFromCents } from '#shared/domain/money/money.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { Session } from '../sessions/session.service.ts';
import { listGrants } from './client-grant.repository.ts';
import { listOpenInvitations } from './invitation.repository.ts';
import { asLead, personOf, type TeamDeps } from './members.service.ts';
import { findApprovalAbove, listMembers, setApprovalAbove } from './membership.repository.ts';

/** Who works in the session's workspace; whom it waits for, only owners see, and what others may spend, who sees money. */
export async function viewTeam(
  { clock, database: { db } }: Pick<Deps, 'clock' | 'database'>,
  { workspaceId, userId }: Session,
): Promise<Team> {
  const everybody = await listMembers(db, workspaceId);
  // As of now: the role may have been another one when the request began.
  const own = everybody.find((each) => each.user_id === userId);
  // Who works for whom is nothing that a client's own people learn.
  const members = own?.all_clients ? everybody : everybody.filter((each) => each === own);
  const grants = await listGrants(db, workspaceId);
  const isLead = own && may(personOf(own), 'team');
  const open = isLead ? await listOpenInvitations(db, workspaceId, new Date(clock.now())) : [];
  const seesMoney = own && may(personOf(own), 'readMoney');
  const above = seesMoney ? await findApprovalAbove(db, workspaceId) : null;
  return {
    approvalAbove: inDollars(above),
    members: members.map((row) => ({
      id: row.id,
      name: row.name,
      email: row.email,
      role: row.role,
      spendLimit: seesMoney || row === own ? inDollars(row.spend_limit_cents) : null,
      allClients: row.all_clients,
      grants: grants.get(row.user_id) ?? [],
      since: row.created_at.toISOString(),
      isThis: row.user_id === userId,
    })),
    invitations: open.map((row) => ({
      id: row.id,
      email: row.email,
      role: row.role,
      allClients: row.all_clients,
      expiresAt: row.expires_at.toISOString(),
    })),
  };
}

const inDollars = (cents: number | null) => (cents === null ? null : dollarsFromCents(cents));

/** Says above which amount managers' changes of many accounts wait. @throws ApiError `not_allowed` */
export async function saveApproval(
  deps: TeamDeps,
  session: Session,
  approvalAbove: number | null,
): Promise<void> {
  const { workspaceId, userId: actor } = session;
  await asLead(deps, session, async (tx, now) => {
    const cents = approvalAbove === null ? null : approvalAbove * 100;
    await setApprovalAbove(tx, workspaceId, cents);
    const action = 'approval_limit_changed';
    const detail = { cents };
    await appendAudit(tx, { workspaceId, actor, action, subject: workspaceId, detail, now });
  });
}
