import { normalizeEmail } from '#shared/domain/email.ts';
import { ApiError } from '../../api-error.ts';
import type { Deps } from '../../deps.ts';
import { appendAudit } from '../audit/audit.repository.ts';
import { auditedEmail, noteAudit } from '../audit/audit-notice.repository.ts';
import { OPERATOR_WORKSPACE_ID } from '../mail/outbox.repository.ts';
import { networkOf } from '../../http/client-address.ts';
import { forgetLimit, isWithinLimit, limit, LIMITS, takeBackLimit } from '../../http/rate-limit.ts';
import type { Passwords } from './password.ts';
import { openSession, type SignIn } from './session.service.ts';
import { findUserByEmail, type UserRow } from './user.repository.ts';

export interface LoggedIn {
  workspaceId: string;
  userId: string;
  signIn: SignIn;
}

/**
 * Signs a customer in with a new session. An attempt counts as failed until it has succeeded, so
 * that many at once can't try more passwords than the limit; a success forgets the account's
 * failures. Too many of them slow log-ins down and never lock the customer out.
 *
 * @throws ApiError `wrong_credentials` (unknown address or wrong password, told apart by nothing),
 * `rate_limited` with the time to wait, `overloaded`
 */
export async function logIn(
  deps: Pick<Deps, 'clock' | 'ids' | 'random' | 'database' | 'settings'> & {
    passwords: Passwords;
  },
  attempt: {
    email: string;
    password: string;
    keepSignedIn: boolean;
    userAgent: string;
    /** The client's. */
    address: string;
  },
): Promise<LoggedIn> {
  const email = normalizeEmail(attempt.email);
  const network = networkOf(attempt.address);
  await slowDown(deps, email, network);
  const user = await findUserByEmail(deps.database.db, email);
  const isRight = await deps.passwords.verify(user?.password_hash, attempt.password);
  if (!user || !isRight) {
    await noteFailure(deps, email, user);
    throw new ApiError('wrong_credentials', 'The e-mail address or the password is wrong.');
  }
  await forgetLimit(deps, { ...LIMITS.login, key: email });
  await takeBackLimit(deps, { ...LIMITS.loginAddress, key: network });
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

/** One statement for everybody: a customer's goes to their chain, nobody's to the operator's. */
async function noteFailure(
  { clock, database, settings }: Pick<Deps, 'clock' | 'database' | 'settings'>,
  email: string,
  user: UserRow | undefined,
): Promise<void> {
  await noteAudit(database.db, {
    workspaceId: user?.workspace_id ?? OPERATOR_WORKSPACE_ID,
    actor: 'visitor',
    action: 'login_failed',
    subject: auditedEmail(settings, email),
    now: new Date(clock.now()),
  });
}

/**
 * Once an account has its failures, every client address gets its own slow attempts at it, so that
 * whoever uses them up elsewhere takes none from the customer. Once a client address has its
 * failures, its attempts at all accounts together are as slow. What is refused here was no attempt
 * at a password and doesn't count against the client address.
 */
async function slowDown(
  deps: Pick<Deps, 'clock' | 'database' | 'settings'>,
  email: string,
  network: string,
): Promise<void> {
  const byAddress = { ...LIMITS.loginAddress, key: network };
  const isAddressFine = await isWithinLimit(deps, byAddress);
  const isAccountFine = await isWithinLimit(deps, { ...LIMITS.login, key: email });
  if (isAddressFine && isAccountFine) return;
  const key = JSON.stringify(isAddressFine ? [network, email] : [network]);
  try {
    await limit(deps, { ...LIMITS.slowLogin, key });
  } catch (error) {
    await takeBackLimit(deps, byAddress);
    throw error;
  }
}
