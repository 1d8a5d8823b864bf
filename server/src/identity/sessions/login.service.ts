import { normalizeEmail } from '#shared/domain/people/email.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { auditedEmail, logAudit } from '#server/audit/audit-notice.repository.ts';
import { OPERATOR_WORKSPACE_ID } from '#server/mail/owed-mail.repository.ts';
import type { Cookie } from '#server/kit/http/cookie.ts';
import { limit, LIMITS } from '../limits/rate-limit.ts';
import { type RequestOrigin, findLane, rememberBrowser } from './known-browser.service.ts';
import { countTry } from './login-limits.ts';
import type { Passwords } from '../users/password.ts';
import { openSession, type SignIn } from './session.service.ts';
import { findLastActed } from './acting.repository.ts';
import { findUserByEmail, type UserRow } from '../users/user.repository.ts';
import { keepWorkspace } from '../users/workspace-lock.repository.ts';

interface LoggedIn {
  workspaceId: WorkspaceId;
  userId: string;
  signIn: SignIn;
  /** Makes this a known browser of the customer. */
  browser: Cookie;
}

/**
 * Signs a customer in with a new session. An attempt counts as failed until it has succeeded, so
 * that many at once can't try more passwords than the limit (`countTry`).
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
  } & RequestOrigin,
): Promise<LoggedIn> {
  const email = normalizeEmail(attempt.email);
  const user = await findUserByEmail(deps.database.db, email);
  const owner = user
    ? { workspaceId: user.workspace_id, userId: user.id }
    : { workspaceId: OPERATOR_WORKSPACE_ID, userId: deps.ids.uuid() };
  const { address, browserToken, keepSignedIn, userAgent } = attempt;
  const client = { address, browserToken };
  const lane = await findLane(deps, owner, client);
  const counted = await countTry(deps, { email, address, lane });
  const place = lane.kind === 'stranger' ? 'last' : 'first';
  const isRight = await deps.passwords.verify(user?.password_hash, attempt.password, place);
  if (!user || !isRight) {
    await logFailure(deps, email, user);
    throw wrongCredentials();
  }
  await counted.succeeded();
  await limit(deps, { ...LIMITS.signIn, key: user.id });
  return deps.database.transaction(async (tx) => {
    // Deleted while the password was checked.
    if (!(await keepWorkspace(tx, owner.workspaceId))) throw wrongCredentials();
    const actingId = await findLastActed(tx, owner);
    const signIn = await openSession(deps, tx, { ...owner, actingId, keepSignedIn, userAgent });
    const { workspaceId, userId: actor } = owner;
    await appendAudit(tx, {
      workspaceId,
      actor,
      action: 'logged_in',
      now: new Date(deps.clock.now()),
    });
    const browser = await rememberBrowser(deps, tx, owner, client);
    return { ...owner, workspaceId: actingId ?? workspaceId, signIn, browser };
  });
}

function wrongCredentials(): ApiError {
  return new ApiError('wrong_credentials', 'That email or password isn’t right.');
}

/** One statement for everybody: a customer's goes to their chain, nobody's to the operator's. */
async function logFailure(
  { clock, database, settings }: Pick<Deps, 'clock' | 'database' | 'settings'>,
  email: string,
  user: UserRow | undefined,
): Promise<void> {
  await logAudit(database.db, {
    workspaceId: user?.workspace_id ?? OPERATOR_WORKSPACE_ID,
    actor: 'visitor',
    action: 'login_failed',
    subject: auditedEmail(settings, email),
    now: new Date(clock.now()),
  });
}
