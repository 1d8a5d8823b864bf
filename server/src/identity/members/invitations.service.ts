import type { CallData } from '#shared/contract/call.ts';
import type { findInvitation } from '#shared/contract/people/workspace.ts';
import { normalizeEmail } from '#shared/domain/people/email.ts';
import type { Role } from '#shared/domain/people/may.ts';
import {
  INVITATION_HOURS,
  MEMBERS_LIMIT,
  OPEN_INVITATIONS_LIMIT,
} from '#shared/domain/people/team.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { InWorkspace } from '#server/kit/db/people.ts';
import type { Deps } from '#server/kit/deps.ts';
import { sealSecret } from '#server/kit/sealed-secret.ts';
import { drawToken, hashToken } from '#server/kit/token.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { insertMail } from '#server/mail/owed-mail.repository.ts';
import { INVITATION_SEAL } from '#server/mail/compose-mail.ts';
import { HOUR_MS } from '#shared/domain/durations.ts';
import { limit, limitAll, LIMITS } from '../limits/rate-limit.ts';
import { usesByAddress } from '../limits/address-limit.ts';
import { actIn } from '../sessions/acting.repository.ts';
import type { Session } from '../sessions/session.service.ts';
import { findUser, findUserByEmail, type UserRow } from '../users/user.repository.ts';
import { lockWorkspace } from '../users/workspace-lock.repository.ts';
import {
  endInvitation,
  findOpenInvitation,
  insertInvitation,
  type InvitationRow,
  listOpenInvitations,
  withdrawFor,
} from './invitation.repository.ts';
import {
  countMembers,
  findMembership,
  insertMembership,
  listMembers,
} from './membership.repository.ts';
import { asLead, nameOf, type TeamDeps } from './members.service.ts';

type InvitationDeps = TeamDeps & Pick<Deps, 'random' | 'settings'>;

/*
 *   open ──accepted by whoever has the address──> accepted
 *     ├──── an owner takes it back, or invites the address again ──> withdrawn
 *     └──── 48 h ──> expired
 *
 * Once: `endInvitation` ends what is open, in the transaction that makes the member. Only the hash of the link's
 * token is stored; in the mail that is owed it is sealed.
 */

/**
 * Invites an address: a mail with a link that works once, for 48 hours. An open invitation of before for the same
 * address is replaced.
 * @throws ApiError `not_allowed`, `already_member`, `team_full`, `rate_limited`
 */
export async function inviteMember(
  deps: InvitationDeps,
  session: Session,
  invited: { email: string; role: Role; allClients: boolean },
): Promise<void> {
  const { workspaceId } = session;
  const email = normalizeEmail(invited.email);
  await limit(deps, { ...LIMITS.invitation, key: workspaceId });
  await limit(deps, { ...LIMITS.invitedAddress, key: email });
  await asLead(deps, session, async (tx, now) => {
    const members = await listMembers(tx, workspaceId);
    if (members.some((member) => member.email === email)) {
      throw new ApiError('already_member', 'They’re already in this workspace.', {
        fields: { email: 'They’re already in this workspace.' },
      });
    }
    if (members.length >= MEMBERS_LIMIT) throw teamFull();
    await withdrawFor(tx, { workspaceId, email }, now);
    const open = await listOpenInvitations(tx, workspaceId, now);
    if (open.length >= OPEN_INVITATIONS_LIMIT) {
      throw new ApiError(
        'team_full',
        `${OPEN_INVITATIONS_LIMIT} invitations are open. Withdraw one, or wait for an answer.`,
      );
    }
    await openInvitation(deps, tx, session, { ...invited, email }, now);
  });
}

/**
 * Writes an invitation, the mail with its link that is owed, and the entry in the audit log.
 * @returns the token of the link
 */
export async function openInvitation(
  { ids, random, settings: { appSecret } }: Pick<Deps, 'ids' | 'random' | 'settings'>,
  tx: Tx,
  { workspaceId, userId: actor }: Pick<Session, 'workspaceId' | 'userId'>,
  { email, role, allClients }: { email: string; role: Role; allClients: boolean },
  now: Date,
): Promise<string> {
  const id = ids.uuid();
  const { token, tokenHash } = drawToken(random);
  await insertInvitation(tx, {
    workspace_id: workspaceId,
    id,
    email,
    role,
    all_clients: allClients || role === 'Owner',
    token_hash: tokenHash,
    invited_by: actor,
    created_at: now,
    expires_at: new Date(now.getTime() + INVITATION_HOURS * HOUR_MS),
  });
  const sealedToken = sealSecret({ appSecret, random }, INVITATION_SEAL, token);
  const payload = { kind: 'invitation', invitationId: id, sealedToken } as const;
  await insertMail(tx, { workspaceId, id: ids.uuid(), payload, now });
  await appendAudit(tx, { workspaceId, actor, action: 'member_invited', subject: id, now });
  return token;
}

/** @throws ApiError `not_allowed`, `not_found` */
export async function withdrawInvitation(
  deps: TeamDeps,
  session: Session,
  invitationId: string,
): Promise<void> {
  const { workspaceId, userId: actor } = session;
  await asLead(deps, session, async (tx, now) => {
    const id = invitationId.toLowerCase();
    if (!(await endInvitation(tx, { workspaceId, id }, 'withdrawn', now))) {
      throw new ApiError('not_found', 'This invitation is no longer open.');
    }
    await appendAudit(tx, { workspaceId, actor, action: 'invitation_withdrawn', subject: id, now });
  });
}

/**
 * What a link is about, for whoever has it.
 * @throws ApiError `invitation_over`, `rate_limited`
 */
export async function viewInvitation(
  deps: InvitationDeps,
  token: string,
  address: string,
): Promise<CallData<typeof findInvitation>> {
  await limitTokens(deps, address);
  const { db } = deps.database;
  const found = await getInvitation(db, token, new Date(deps.clock.now()));
  return {
    workspaceName: await nameOf(db, found.workspace_id),
    email: found.email,
    role: found.role,
    expiresAt: found.expires_at.toISOString(),
    isKnown: (await findUserByEmail(db, found.email)) !== undefined,
  };
}

/** @throws ApiError `rate_limited` */
export async function limitTokens(
  deps: Pick<Deps, 'clock' | 'database' | 'settings'>,
  address: string,
): Promise<void> {
  await limitAll(deps, usesByAddress(LIMITS.invitationToken, address));
}

/**
 * Accepts as whoever is signed in, if the invitation is for their address; the session goes on there.
 * @throws ApiError `invitation_over`, `other_address`, `team_full`, `rate_limited`
 */
export async function acceptInvitation(
  deps: InvitationDeps,
  session: Session,
  { token, address }: { token: string; address: string },
): Promise<InWorkspace> {
  await limitTokens(deps, address);
  return deps.database.transaction(async (tx) => {
    const now = new Date(deps.clock.now());
    const user = await findUser(tx, session);
    const found = await getInvitation(tx, token, now);
    if (user?.email !== found.email) {
      throw new ApiError(
        'other_address',
        'This invitation is for another email address. Log in with that one.',
      );
    }
    const person = await join(deps, tx, { invitation: found, user }, now);
    const { homeId, sessionId } = session;
    await actIn(tx, { homeId, sessionId }, person.workspaceId);
    return person;
  });
}

/**
 * Makes somebody a member, and the invitation an accepted one; both or nothing. Who is a member already stays what
 * they are.
 * @throws ApiError `invitation_over`: somebody was faster; `team_full`, `session_ended`: the workspace is gone
 */
export async function join(
  deps: TeamDeps,
  tx: Tx,
  {
    invitation,
    user,
  }: { invitation: InvitationRow; user: Pick<UserRow, 'workspace_id' | 'id' | 'name'> },
  now: Date,
): Promise<InWorkspace> {
  const { workspace_id: workspaceId, id, role } = invitation;
  await lockWorkspace(tx, workspaceId);
  if (!(await endInvitation(tx, { workspaceId, id }, 'accepted', now))) throw invitationOver();
  const person = { workspaceId, userId: user.id };
  if (await findMembership(tx, person)) return person;
  if ((await countMembers(tx, workspaceId)) >= MEMBERS_LIMIT) throw teamFull();
  await insertMembership(tx, {
    workspace_id: workspaceId,
    user_id: user.id,
    id: deps.ids.uuid(),
    home_workspace_id: user.workspace_id,
    role,
    all_clients: invitation.all_clients,
    created_at: now,
  });
  await appendAudit(tx, { workspaceId, actor: user.id, action: 'member_joined', subject: id, now });
  const payload = { kind: 'member_joined', name: user.name, role } as const;
  await insertMail(tx, { workspaceId, id: deps.ids.uuid(), payload, now });
  return person;
}

/** @throws ApiError `invitation_over` */
export async function getInvitation(db: Db, token: string, now: Date): Promise<InvitationRow> {
  const tokenHash = hashToken(token);
  const found = tokenHash && (await findOpenInvitation(db, tokenHash, now));
  if (!found) throw invitationOver();
  return found;
}

function invitationOver(): ApiError {
  return new ApiError(
    'invitation_over',
    `This invitation was used or withdrawn, or its ${INVITATION_HOURS} hours are over. Ask for a new one.`,
  );
}

function teamFull(): ApiError {
  return new ApiError('team_full', `A workspace can have ${MEMBERS_LIMIT} people at most.`);
}
