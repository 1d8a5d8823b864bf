import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import type { Role } from '#shared/domain/people/may.ts';
import {
  getInvitation,
  join,
  openInvitation,
} from '#server/identity/members/invitations.service.ts';
import { findMembership } from '#server/identity/members/membership.repository.ts';
import { composeMail } from '#server/mail/compose-mail.ts';
import { type Customer, registerCustomer } from './customers.ts';
import type { TestDeps } from '../test-deps.ts';

export const invite = ({ client, user }: Customer, email: string, role: Role) =>
  client.call(CALLS.inviteMember, { userId: user.id, email, role });

/** The token of the newest invitation mailed to an address. */
export async function tokenFor(deps: TestDeps, email: string): Promise<string> {
  const mails = await deps.database.db
    .selectFrom('owed_mail')
    .select(['workspace_id', 'id', 'payload'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  for (const mail of mails.filter(({ payload }) => payload.kind === 'invitation')) {
    const composed = await composeMail(deps, mail);
    const token =
      composed?.to === email ? /\/join#([\w-]{43})/.exec(composed.text)?.[1] : undefined;
    if (token !== undefined) return token;
  }
  throw new Error(`Nobody has invited ${email}.`);
}

interface Joined extends Customer {
  /** Of their invitation. */
  token: string;
}

/**
 * A new customer who has accepted an owner's invitation and acts in that workspace: what the two calls leave behind,
 * in one transaction without their limits and answers (`team.db.test.ts`).
 */
export async function joinAs(
  deps: TestDeps,
  app: Hono,
  owner: Customer,
  name: string,
  role: Role,
): Promise<Joined> {
  const { client, user } = await registerCustomer(app, deps, name);
  const homeId = user.membership?.workspaceId ?? '';
  return deps.database.transaction(async (tx) => {
    const now = new Date(deps.clock.now());
    const inviting = await tx
      .selectFrom('membership')
      .select(['workspace_id', 'user_id'])
      .where('id', '=', owner.user.id)
      .executeTakeFirstOrThrow();
    const workspaceId = inviting.workspace_id;
    const inviter = { workspaceId, userId: inviting.user_id };
    const invited = { email: user.email, role, allClients: true };
    const token = await openInvitation(deps, tx, inviter, invited, now);
    const invitation = await getInvitation(tx, token, now);
    const joining = { workspace_id: homeId, id: user.id, name: user.name };
    await join(deps, tx, { invitation, user: joining }, now);
    await tx
      .updateTable('session')
      .set({ acting_workspace_id: workspaceId })
      .where('workspace_id', '=', homeId)
      .execute();
    const member = await findMembership(tx, { workspaceId, userId: user.id });
    if (!member) throw new Error(`${name} hasn’t joined.`);
    const membership = { workspaceId, role };
    const defaults = { defaultIgUsername: '', defaultIgId: '' };
    return { client, user: { ...user, id: member.id, membership, ...defaults }, token };
  });
}
