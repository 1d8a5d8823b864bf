import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import { HOUR_MS } from '#shared/domain/durations.ts';
import type { Role } from '#shared/domain/people/may.ts';
import { INVITATION_HOURS } from '#shared/domain/people/team.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import {
  insertInvitation,
  type InvitationRow,
} from '#server/identity/members/invitation.repository.ts';
import { join } from '#server/identity/members/invitations.service.ts';
import { findMembership } from '#server/identity/members/membership.repository.ts';
import type { Tx } from '#server/kit/db/database.ts';
import { sealSecret } from '#server/kit/sealed-secret.ts';
import { drawToken } from '#server/kit/token.ts';
import { composeMail, INVITATION_SEAL } from '#server/mail/compose-mail.ts';
import { insertMail } from '#server/mail/owed-mail.repository.ts';
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

async function tellOfInvitation(
  { ids, random, settings: { appSecret } }: TestDeps,
  tx: Tx,
  { workspace_id: workspaceId, id, invited_by: actor, created_at: now }: InvitationRow,
  token: string,
): Promise<void> {
  const sealedToken = sealSecret({ appSecret, random }, INVITATION_SEAL, token);
  const payload = { kind: 'invitation', invitationId: id, sealedToken } as const;
  await insertMail(tx, { workspaceId, id: ids.uuid(), payload, now });
  await appendAudit(tx, { workspaceId, actor, action: 'member_invited', subject: id, now });
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
  const { token, tokenHash } = drawToken(deps.random);
  return deps.database.transaction(async (tx) => {
    const now = new Date(deps.clock.now());
    const inviting = await tx
      .selectFrom('membership')
      .select(['workspace_id', 'user_id'])
      .where('id', '=', owner.user.id)
      .executeTakeFirstOrThrow();
    const workspaceId = inviting.workspace_id;
    const invitation = {
      workspace_id: workspaceId,
      id: deps.ids.uuid(),
      email: user.email,
      role,
      all_clients: true,
      token_hash: tokenHash,
      invited_by: inviting.user_id,
      created_at: now,
      expires_at: new Date(now.getTime() + INVITATION_HOURS * HOUR_MS),
      ended_at: null,
      outcome: null,
    };
    await insertInvitation(tx, invitation);
    await tellOfInvitation(deps, tx, invitation, token);
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
