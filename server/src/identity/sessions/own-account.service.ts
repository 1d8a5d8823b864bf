import { ApiError } from '#server/kit/api-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { Cookie } from '#server/kit/http/cookie.ts';
import { forgetLimit, limit, LIMITS } from '../limits/rate-limit.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { logAudit } from '#server/audit/audit-notice.repository.ts';
import { insertMail } from '#server/mail/owed-mail.repository.ts';
import { refuseGuessable } from '../users/guessable-password.ts';
import { type RequestOrigin, rememberOnlyBrowser } from './known-browser.service.ts';
import type { Passwords } from '../users/password.ts';
import { endOtherSessions } from './end-sessions.repository.ts';
import { atHome, type Session } from './session.service.ts';
import { findUser, setPasswordHash, setProfile, type UserRow } from '../users/user.repository.ts';

type PasswordDeps = Pick<Deps, 'clock' | 'database' | 'settings'> & { passwords: Passwords };

/**
 * Lets nobody but the customer go on: a session alone may be a browser left open.
 * @throws ApiError `wrong_credentials` beside the field, `rate_limited`, `overloaded`
 */
export async function checkOwnPassword(
  deps: PasswordDeps,
  session: Session,
  typed: { field: string; password: string },
): Promise<UserRow> {
  const use = { ...LIMITS.passwordCheck, key: session.sessionId };
  await limit(deps, use);
  const user = await findUser(deps.database.db, session);
  const isRight = await deps.passwords.verify(user?.password_hash, typed.password, 'first');
  if (!user || !isRight) {
    await logAudit(deps.database.db, {
      workspaceId: session.homeId,
      actor: session.userId,
      action: 'password_check_failed',
      subject: session.sessionId,
      now: new Date(deps.clock.now()),
    });
    const message = 'Your current password isn’t right.';
    throw new ApiError('wrong_credentials', message, { fields: { [typed.field]: message } });
  }
  await forgetLimit(deps, use);
  return user;
}

/**
 * Changes the password and ends every session but this one; the cookie that keeps this browser known.
 * @throws ApiError as `checkOwnPassword`; `invalid_input` for a password anybody would guess
 */
export async function updatePassword(
  deps: PasswordDeps & Pick<Deps, 'ids' | 'random'>,
  session: Session,
  change: { currentPassword: string; password: string } & RequestOrigin,
): Promise<Cookie> {
  const home = atHome(session);
  const { workspaceId, userId: actor, sessionId } = home;
  const typed = { field: 'currentPassword', password: change.currentPassword };
  const user = await checkOwnPassword(deps, session, typed);
  refuseGuessable(change.password, user);
  const passwordHash = await deps.passwords.hash(change.password);
  return deps.database.transaction(async (tx) => {
    const now = new Date(deps.clock.now());
    await setPasswordHash(tx, home, passwordHash);
    await endOtherSessions(tx, home, sessionId, now);
    const payload = { kind: 'password_changed', userId: actor } as const;
    await insertMail(tx, { workspaceId, id: deps.ids.uuid(), payload, now });
    await appendAudit(tx, { workspaceId, actor, action: 'password_changed', now });
    const { address, browserToken } = change;
    return rememberOnlyBrowser(deps, tx, home, { address, browserToken });
  });
}

/**
 * Saves name, phone and time zone; running subscriptions keep the zone of their checkout (D5).
 * @throws ApiError `rate_limited`
 */
export async function updateProfile(
  deps: Pick<Deps, 'clock' | 'database' | 'settings'>,
  session: Session,
  profile: { name: string; phone: string; timeZone: string },
): Promise<void> {
  const home = atHome(session);
  const { workspaceId, userId: actor } = home;
  await limit(deps, { ...LIMITS.profile, key: actor });
  await deps.database.transaction(async (tx) => {
    await setProfile(tx, home, profile);
    const now = new Date(deps.clock.now());
    await appendAudit(tx, { workspaceId, actor, action: 'profile_changed', now });
  });
}
