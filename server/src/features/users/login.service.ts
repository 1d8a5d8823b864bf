import { normalizeEmail } from '#shared/domain/email.ts';
import { ApiError } from '../../api-error.ts';
import type { Deps } from '../../deps.ts';
import { appendAudit } from '../audit/audit.repository.ts';
import { forgetLimit, limit, LIMITS } from '../../http/rate-limit.ts';
import type { Passwords } from './password.ts';
import { openSession, type SignIn } from './session.service.ts';
import { findUserByEmail } from './user.repository.ts';

export interface LoggedIn {
  workspaceId: string;
  userId: string;
  signIn: SignIn;
}

/**
 * Signs a customer in with a new session. An attempt counts as failed until it has succeeded, so
 * that many at once can't try more passwords than the limit; a success forgets the failures.
 *
 * @throws ApiError `wrong_credentials` (unknown address or wrong password, told apart by nothing),
 * `rate_limited` with the time to wait, `overloaded`
 */
export async function logIn(
  deps: Pick<Deps, 'clock' | 'ids' | 'random' | 'database' | 'settings'> & {
    passwords: Passwords;
  },
  attempt: { email: string; password: string; keepSignedIn: boolean; userAgent: string },
): Promise<LoggedIn> {
  const email = normalizeEmail(attempt.email);
  const use = { ...LIMITS.login, key: email };
  await limit(deps, use);
  const user = await findUserByEmail(deps.database.db, email);
  const isRight = await deps.passwords.verify(user?.password_hash, attempt.password);
  if (!user || !isRight) {
    throw new ApiError('wrong_credentials', 'The e-mail address or the password is wrong.');
  }
  await forgetLimit(deps, use);
  const owner = { workspaceId: user.workspace_id, userId: user.id };
  const { keepSignedIn, userAgent } = attempt;
  return deps.database.transaction(async (tx) => {
    const signIn = await openSession(deps, tx, { ...owner, keepSignedIn, userAgent });
    const { workspaceId, userId: actor } = owner;
    await appendAudit(tx, {
      workspaceId,
      actor,
      action: 'logged_in',
      now: new Date(deps.clock.now()),
    });
    return { ...owner, signIn };
  });
}
