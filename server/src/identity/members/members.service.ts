import type { ClientGrant } from '#shared/contract/people/team.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { type Action, may, type Role, whoMay } from '#shared/domain/people/may.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { InWorkspace } from '#server/kit/db/people.ts';
import type { Deps } from '#server/kit/deps.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { insertMail } from '#server/mail/owed-mail.repository.ts';
import { actIn, endSessionsIn } from '../sessions/acting.repository.ts';
import type { Session } from '../sessions/session.service.ts';
import { findUser } from '../users/user.repository.ts';
import { lockWorkspace } from '../users/workspace-lock.repository.ts';
import { listClientIds, setGrants } from './client-grant.repository.ts';
import {
  deleteMembership,
  findMember,
  findMembership,
  hasOtherOwner,
  listMembers,
  listWorkspaces,
  type MembershipRow,
  moveHome,
  updateMembership,
} from './membership.repository.ts';

export type TeamDeps = Pick<Deps, 'clock' | 'database' | 'ids'>;

/** Without grants: for what is the workspace's. */
export const personOf = (row: Pick<MembershipRow, 'role' | 'all_clients'>) => ({
  role: row.role,
  allClients: row.all_clients,
});

/**
 * Does something with the team, one at a time in each workspace, if whoever asks still leads it then.
 * @throws ApiError `not_allowed`, `session_ended`
 */
export async function asLead<T>(
  deps: TeamDeps,
  session: Session,
  work: (tx: Tx, now: Date, own: MembershipRow) => Promise<T>,
): Promise<T> {
  return deps.database.transaction(async (tx) => {
    await lockWorkspace(tx, session.workspaceId);
    const own = await getMemberWhoMay(tx, session, 'team');
    return work(tx, new Date(deps.clock.now()), own);
  });
}

/**
 * Somebody's membership as it is now, where their role is enough.
 * @throws ApiError `not_allowed`: it isn't, or they are no member any more
 */
export async function getMemberWhoMay(
  db: Db,
  person: InWorkspace,
  action: Action,
): Promise<MembershipRow> {
  const member = await findMembership(db, person);
  if (!member || !may(personOf(member), action)) throw notAllowed(action);
  return member;
}

/** Refuses whoever's role isn't enough, and says whose is. */
export function notAllowed(action: Action): ApiError {
  return new ApiError('not_allowed', `${whoMay(action)} of this workspace can do this.`);
}

/** @throws ApiError `not_allowed`, `not_found`, `last_owner` */
export async function changeMember(
  deps: TeamDeps,
  session: Session,
  change: { memberId: string; role: Role; spendLimit?: number | null | undefined },
): Promise<void> {
  const { workspaceId, userId: actor } = session;
  await asLead(deps, session, async (tx, now) => {
    const member = await getMember(tx, workspaceId, change.memberId);
    const { role, spendLimit } = change;
    if (member.role === 'Owner' && role !== 'Owner') await refuseLastOwner(tx, member);
    const isNone = spendLimit === undefined || spendLimit === null;
    const asked = isNone ? spendLimit : spendLimit * 100;
    // An owner has none, also not for the day when they become a manager again.
    const limit = role === 'Owner' ? null : asked;
    await updateMembership(tx, member, {
      role,
      ...(role === 'Owner' && { all_clients: true }),
      ...(limit !== undefined && { spend_limit_cents: limit }),
    });
    const said = { workspaceId, actor, subject: member.user_id, now };
    if (member.role !== role) {
      await appendAudit(tx, { ...said, action: 'role_changed', detail: { role } });
    }
    if (limit !== undefined && limit !== member.spend_limit_cents) {
      const detail = { cents: limit };
      await appendAudit(tx, { ...said, action: 'spend_limit_changed', detail });
    }
  });
}

/**
 * Says for which clients somebody works. What they lose, their devices lose.
 * @throws ApiError `not_allowed`, `not_found`, `last_owner`: an owner has all clients
 */
export async function grantClients(
  deps: TeamDeps,
  session: Session,
  wanted: { memberId: string; allClients: boolean; grants: readonly ClientGrant[] },
): Promise<void> {
  const { workspaceId, userId: actor } = session;
  const { allClients } = wanted;
  const byId = new Map(wanted.grants.map((each) => [each.clientId.toLowerCase(), each.role]));
  const grants = Array.from(byId, ([clientId, role]) => ({ clientId, role }));
  await asLead(deps, session, async (tx, now) => {
    const member = await getMember(tx, workspaceId, wanted.memberId);
    if (member.role === 'Owner' && !allClients) {
      throw new ApiError('last_owner', 'An owner has all clients. Give them another role first.');
    }
    const known = await listClientIds(tx, workspaceId, [...byId.keys()]);
    if (known.length < byId.size) {
      throw new ApiError(
        'not_found',
        'One of these clients no longer exists. Please choose again.',
      );
    }
    await updateMembership(tx, member, { all_clients: allClients });
    await setGrants(tx, member, grants);
    const subject = member.user_id;
    const detail = { clients: allClients ? null : grants.map(({ clientId }) => clientId) };
    const action = 'grants_changed';
    await appendAudit(tx, { workspaceId, actor, action, subject, detail, now });
  });
}

/**
 * Takes somebody out: their sessions here end at once, and what their devices hold of the workspace goes.
 * @throws ApiError `not_allowed`, `not_found`
 */
export async function removeMember(
  deps: TeamDeps,
  session: Session,
  memberId: string,
): Promise<void> {
  const { workspaceId, userId: actor } = session;
  await asLead(deps, session, async (tx, now) => {
    const member = await getMember(tx, workspaceId, memberId);
    if (member.user_id === actor) {
      throw new ApiError('not_found', 'To remove yourself, leave the workspace instead.');
    }
    await endMembership(deps, tx, member, undefined, now);
    const subject = member.user_id;
    await appendAudit(tx, { workspaceId, actor, action: 'member_removed', subject, now });
  });
}

/**
 * Leaves the session's workspace. The session goes on in another workspace of its person, with nothing in it where
 * there was none.
 * @throws ApiError `not_found`, `last_owner`
 */
export async function leaveWorkspace(
  deps: TeamDeps,
  session: Session,
): Promise<{ workspaceId: WorkspaceId; userId: string }> {
  const { workspaceId, userId } = session;
  return deps.database.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const now = new Date(deps.clock.now());
    const member = await findMembership(tx, session);
    if (!member) throw new ApiError('not_found', 'You have already left this workspace.');
    await refuseLastOwner(tx, member);
    const homeId = await endMembership(deps, tx, member, session.sessionId, now);
    const [next] = await listWorkspaces(tx, { home_workspace_id: homeId, user_id: userId });
    const nextId = next?.id ?? homeId;
    await actIn(tx, { homeId, sessionId: session.sessionId }, nextId);
    const said = { workspaceId, actor: userId, subject: userId, now };
    await appendAudit(tx, { ...said, action: 'member_left' });
    return { workspaceId: nextId, userId };
  });
}

/** Ends a membership with its sessions; returns the home of its person, which may be a new one. */
async function endMembership(
  { ids }: Pick<Deps, 'ids'>,
  tx: Tx,
  member: MembershipRow,
  keptSessionId: string | undefined,
  now: Date,
): Promise<WorkspaceId> {
  const { workspace_id: workspaceId, user_id: userId, home_workspace_id: homeId } = member;
  // First, while the person's scope is still told of: their streams hear of it.
  await endSessionsIn(tx, { homeId, userId, workspaceId }, keptSessionId, now);
  await deleteMembership(tx, member);
  const workspaceName = await nameOf(tx, workspaceId);
  const nextHomeId = homeId === workspaceId ? ids.uuid() : homeId;
  if (nextHomeId !== homeId) {
    await moveHome(tx, member, { workspaceId: nextHomeId, memberId: ids.uuid(), now });
  }
  const payload = { kind: 'membership_ended', workspaceName, userId } as const;
  await insertMail(tx, { workspaceId: nextHomeId, id: ids.uuid(), payload, now });
  return nextHomeId;
}

/** A workspace is called by its first owner. */
export async function nameOf(db: Db, workspaceId: WorkspaceId): Promise<string> {
  const members = await listMembers(db, workspaceId);
  return members[0]?.name ?? '';
}

/**
 * Makes somebody else an owner, and whoever asks a manager. The password was asked for before.
 * @throws ApiError `not_allowed`, `not_found`
 */
export async function handOver(deps: TeamDeps, session: Session, memberId: string): Promise<void> {
  const { workspaceId, userId: actor } = session;
  await asLead(deps, session, async (tx, now, own) => {
    const member = await getMember(tx, workspaceId, memberId);
    if (member.user_id === actor) throw new ApiError('not_found', 'You’re already an owner.');
    await updateMembership(tx, member, {
      role: 'Owner',
      all_clients: true,
      spend_limit_cents: null,
    });
    await updateMembership(tx, own, { role: 'Manager' });
    const subject = member.user_id;
    await appendAudit(tx, { workspaceId, actor, action: 'ownership_handed_over', subject, now });
    const payload = { kind: 'ownership_handed_over', userId: subject } as const;
    await insertMail(tx, { workspaceId, id: deps.ids.uuid(), payload, now });
  });
}

/**
 * Lets the session act in another workspace of its person.
 * @throws ApiError `not_found`
 */
export async function switchWorkspace(
  deps: TeamDeps,
  session: Session,
  workspaceId: WorkspaceId,
): Promise<{ workspaceId: WorkspaceId; userId: string }> {
  const { userId, homeId, sessionId } = session;
  return deps.database.transaction(async (tx) => {
    const next = { workspaceId, userId };
    if (!(await findUser(tx, next))) {
      throw new ApiError('not_found', 'You aren’t a member of that workspace.');
    }
    await actIn(tx, { homeId, sessionId }, workspaceId);
    return next;
  });
}

async function getMember(
  tx: Tx,
  workspaceId: WorkspaceId,
  memberId: string,
): Promise<MembershipRow> {
  const member = await findMember(tx, workspaceId, memberId.toLowerCase());
  if (!member) throw new ApiError('not_found', 'They’re no longer in this workspace.');
  return member;
}

async function refuseLastOwner(tx: Tx, member: MembershipRow): Promise<void> {
  if (member.role !== 'Owner' || (await hasOtherOwner(tx, member))) return;
  throw new ApiError(
    'last_owner',
    'A workspace needs an owner. Make someone else the owner first.',
  );
}
