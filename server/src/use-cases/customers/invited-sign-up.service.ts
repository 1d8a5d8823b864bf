import type { CallParsed } from '#shared/contract/call.ts';
import type { signUpInvited as signUpInvitedCall } from '#shared/contract/people/workspace.ts';
import { isUniqueViolation } from '#server/kit/db/database-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { usesByAddress } from '#server/identity/limits/address-limit.ts';
import { limitAll, LIMITS } from '#server/identity/limits/rate-limit.ts';
import { getInvitation, join, limitTokens } from '#server/identity/members/invitations.service.ts';
import {
  type RequestOrigin,
  rememberBrowser,
} from '#server/identity/sessions/known-browser.service.ts';
import { openSession } from '#server/identity/sessions/session.service.ts';
import { refuseGuessable } from '#server/identity/users/guessable-password.ts';
import type { Passwords } from '#server/identity/users/password.ts';
import { findUserByEmail, insertUser } from '#server/identity/users/user.repository.ts';
import { emailTaken, type Registered } from './registration.service.ts';

/**
 * Makes a person with the address of an invitation, which its link has shown to be theirs, and a member: with a
 * workspace of their own that has nothing in it, and a session that acts where they were invited to. All or nothing.
 * @throws ApiError `invitation_over`, `email_taken`, `team_full`, `invalid_input`, `rate_limited`, `overloaded`
 */
export async function signUpInvited(
  deps: Deps & { passwords: Passwords },
  typed: CallParsed<typeof signUpInvitedCall>,
  { userAgent, ...client }: { userAgent: string } & RequestOrigin,
): Promise<Registered> {
  const { token, name, password, keepSignedIn, timeZone } = typed;
  await limitTokens(deps, client.address);
  await limitAll(deps, usesByAddress(LIMITS.registration, client.address));
  const { db } = deps.database;
  const { email } = await getInvitation(db, token, new Date(deps.clock.now()));
  refuseGuessable(password, { name, email });
  if (await findUserByEmail(db, email)) throw emailTaken();
  const passwordHash = await deps.passwords.hash(password);
  const home = { workspaceId: deps.ids.uuid(), userId: deps.ids.uuid() };
  try {
    return await deps.database.transaction(async (tx) => {
      const now = new Date(deps.clock.now());
      const invitation = await getInvitation(tx, token, now);
      await insertUser(tx, {
        workspace_id: home.workspaceId,
        id: home.userId,
        name,
        email,
        phone: '',
        password_hash: passwordHash,
        package: 1,
        time_zone: timeZone,
        created_at: now,
      });
      const user = { workspace_id: home.workspaceId, id: home.userId, name };
      const owner = await join(deps, tx, { invitation, user }, now);
      const actingId = owner.workspaceId;
      const signIn = await openSession(deps, tx, { ...home, actingId, keepSignedIn, userAgent });
      const browser = await rememberBrowser(deps, tx, home, client);
      const said = { workspaceId: home.workspaceId, actor: home.userId, now };
      await appendAudit(tx, { ...said, action: 'registered' });
      return { ...owner, signIn, browser };
    });
  } catch (error) {
    if (isUniqueViolation(error, 'email_is_taken')) throw emailTaken();
    throw error;
  }
}
