import { ApiError } from '../../api-error.ts';
import type { Deps } from '../../deps.ts';
import type { Cookie } from '../../http/cookie.ts';
import { forgetLimit, limit, LIMITS } from '../../http/rate-limit.ts';
import { appendAudit } from '../audit/audit.repository.ts';
import { noteAudit } from '../audit/audit-notice.repository.ts';
import { insertMail } from '../mail/outbox.repository.ts';
import { refuseGuessable } from './guessable-password.ts';
import { type Client, rememberOnlyBrowser } from './known-browser.service.ts';
import type { Passwords } from './password.ts';
import { endOtherSessions } from './session.repository.ts';
import type { Session } from './session.service.ts';
import { findUser, setPasswordHash, type UserRow } from './user.repository.ts';

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
    await noteAudit(deps.database.db, {
      workspaceId: session.workspaceId,
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
  change: { currentPassword: string; password: string } & Client,
): Promise<Cookie> {
  const { workspaceId, userId: actor, sessionId } = session;
  const typed = { field: 'currentPassword', password: change.currentPassword };
  const user = await checkOwnPassword(deps, session, typed);
  refuseGuessable(change.password, user);
  const passwordHash = await deps.passwords.hash(change.password);
  return deps.database.transaction(async (tx) => {
    const now = new Date(deps.clock.now());
    await setPasswordHash(tx, session, passwordHash);
    await endOtherSessions(tx, session, sessionId, now);
    const payload = { kind: 'password_changed', userId: actor } as const;
    await insertMail(tx, { workspaceId, id: deps.ids.uuid(), payload, now });
    await appendAudit(tx, { workspaceId, actor, action: 'password_changed', now });
    const { address, browserToken } = change;
    return rememberOnlyBrowser(deps, tx, session, { address, browserToken });
  });
}
