import { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { InWorkspace } from '#server/kit/db/people.ts';
import type { Deps } from '#server/kit/deps.ts';
import { usesByAddress } from '../limits/address-limit.ts';
import type { Cookie } from '#server/kit/http/cookie.ts';
import { forgetLimit, isWithinLimit, limitAll, LIMITS } from '../limits/rate-limit.ts';
import { sealSecret } from '#server/kit/sealed-secret.ts';
import { drawToken, hashToken } from '#server/kit/token.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { auditedEmail, logAudit } from '#server/audit/audit-notice.repository.ts';
import { RECOVERY_CODE_SEAL } from '#server/mail/compose-mail.ts';
import {
  insertMail,
  openOperatorWorkspace,
  OPERATOR_WORKSPACE_ID,
} from '#server/mail/owed-mail.repository.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { refuseGuessable } from '../users/guessable-password.ts';
import {
  type RequestOrigin,
  findLane,
  type Lane,
  rememberOnlyBrowser,
} from '../sessions/known-browser.service.ts';
import { forgetOwnTries } from '../sessions/login-limits.ts';
import type { Passwords } from '../users/password.ts';
import { endOtherSessions } from '../sessions/end-sessions.repository.ts';
import type { Session } from '../sessions/session.service.ts';
import { findUserByEmail, setPasswordHash } from '../users/user.repository.ts';
import {
  countTry,
  deleteRecoveries,
  grantRecovery,
  hasGrant,
  insertRecovery,
  type RecoveryKey,
  takeGrant,
} from './recovery.repository.ts';
import { drawCode, drawLongCode, hashCode, hashEmail, isSameHash } from './recovery-secrets.ts';

const CODE_MINUTES = 10;
const LIFETIME_MS = CODE_MINUTES * MINUTE_MS;

type RecoveryDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'random' | 'settings'>;

/** What a browser gets for its cookie. */
interface BrowserToken {
  token: string;
  maxAgeSeconds: number;
}

/** The answer to whoever asks for a code; the same for an address that nobody has. */
interface AskedCode extends BrowserToken {
  handle: string;
  /** Whether the code that is mailed is a long one. */
  isLong: boolean;
}

/**
 * Mails a code to the address, if it is somebody's. Whether it is shows in nothing: for an address
 * nobody has, the same statements run and the mail is owed to nobody, who can't be found when it is to be
 * sent. The code leaves by mail only: the recovery has its keyed hash, the mail owed has it sealed.
 *
 * Beyond the day's mails the answer is the same and no code is made; the one mailed before stays good.
 *
 * @throws ApiError `rate_limited`: by client address; then by e-mail address, known or not, and client
 * address or known browser, so that no stranger uses up what the customer may ask for
 */
export async function requestCode(
  deps: RecoveryDeps,
  request: { email: string; formerToken: string | undefined } & RequestOrigin,
): Promise<AskedCode> {
  const { email, formerToken, ...client } = request;
  await limitAll(deps, usesByAddress(LIMITS.recoveryAddress, client.address));
  const user = await findUserByEmail(deps.database.db, email);
  const person = user
    ? { workspaceId: user.workspace_id, userId: user.id }
    : { workspaceId: OPERATOR_WORKSPACE_ID, userId: deps.ids.uuid() };
  const isMailed = await mayMail(deps, email, await findLane(deps, person, client), client.address);
  const handle = deps.ids.uuid();
  const maxAgeSeconds = LIFETIME_MS / 1000;
  if (!isMailed) {
    const token = hashToken(formerToken) ? formerToken : undefined;
    return { handle, token: token ?? drawToken(deps.random).token, maxAgeSeconds, isLong: true };
  }
  const isLong = !(await isWithinLimit(deps, { ...LIMITS.recoveryUnused, key: email }));
  const code = isLong ? drawLongCode(deps.random) : drawCode(deps.random);
  const token = await beginRecovery(deps, person, { email, formerToken, handle, code });
  return { handle, token, maxAgeSeconds, isLong };
}

/** Counts a request; false when the day's mails are used up. @throws ApiError `rate_limited` */
async function mayMail(
  deps: RecoveryDeps,
  email: string,
  { kind, key }: Lane,
  address: string,
): Promise<boolean> {
  const own = JSON.stringify([email, key]);
  const uses =
    kind === 'known_browser'
      ? [{ ...LIMITS.recoveryCode, key: own }]
      : usesByAddress(LIMITS.recoveryCode, address, email);
  await limitAll(deps, uses);
  return isWithinLimit(deps, { ...LIMITS.recoveryMail, key: kind === 'stranger' ? email : own });
}

/** Stores a recovery and owes its mail; the token for the browser. */
async function beginRecovery(
  deps: RecoveryDeps,
  person: InWorkspace,
  recovery: { email: string; formerToken: string | undefined; handle: string; code: string },
): Promise<string> {
  const { email, handle, code } = recovery;
  const now = new Date(deps.clock.now());
  const { token, tokenHash } = drawToken(deps.random);
  await deps.database.transaction(async (tx) => {
    await insertRecovery(tx, {
      id: handle,
      tokenHash,
      emailHash: hashEmail(deps, email),
      codeHash: hashCode(deps, tokenHash, code),
      formerTokenHash: hashToken(recovery.formerToken),
      now,
      expiresAt: new Date(now.getTime() + LIFETIME_MS),
    });
    await oweCode(deps, tx, person, code, now);
    await logAudit(tx, {
      workspaceId: person.workspaceId,
      actor: 'visitor',
      action: 'recovery_requested',
      subject: auditedEmail(deps.settings, email),
      now,
    });
  });
  return token;
}

async function oweCode(
  deps: RecoveryDeps,
  tx: Tx,
  { workspaceId, userId }: InWorkspace,
  code: string,
  now: Date,
): Promise<void> {
  const keys = { appSecret: deps.settings.appSecret, random: deps.random };
  const sealedCode = sealSecret(keys, RECOVERY_CODE_SEAL, code);
  // For every address, so that an unknown one doesn't take longer.
  await openOperatorWorkspace(tx, now);
  await insertMail(tx, {
    workspaceId,
    id: deps.ids.uuid(),
    payload: { kind: 'recovery_code', userId, sealedCode, minutes: CODE_MINUTES },
    now,
  });
}

/**
 * Checks a code. Right: this browser, and no other, may set a new password within 10 minutes.
 * @throws ApiError `wrong_code` for whatever doesn't fit (code, address, browser, time, number of tries),
 * `rate_limited` by client address
 */
export async function verifyCode(
  deps: RecoveryDeps,
  attempt: { email: string; code: string; address: string; token: string | undefined },
): Promise<BrowserToken> {
  await limitAll(deps, usesByAddress(LIMITS.recoveryTry, attempt.address));
  const { db } = deps.database;
  const key = recoveryKey(deps, attempt);
  const now = deps.clock.now();
  const codeHash = key && (await countTry(db, key, new Date(now)));
  const isRight =
    key && codeHash && isSameHash(codeHash, hashCode(deps, key.tokenHash, attempt.code));
  if (!isRight) {
    await logRefusedCode(deps, attempt.email);
    throw wrongCode();
  }
  const { token, tokenHash } = drawToken(deps.random);
  const expiresAt = new Date(now + LIFETIME_MS);
  if (!(await grantRecovery(db, key, { tokenHash, expiresAt }))) throw wrongCode();
  await forgetLimit(deps, { ...LIMITS.recoveryUnused, key: attempt.email });
  return { token, maxAgeSeconds: LIFETIME_MS / 1000 };
}

async function logRefusedCode(deps: RecoveryDeps, email: string): Promise<void> {
  const user = await findUserByEmail(deps.database.db, email);
  await logAudit(deps.database.db, {
    workspaceId: user?.workspace_id ?? OPERATOR_WORKSPACE_ID,
    actor: 'visitor',
    action: 'recovery_code_refused',
    subject: auditedEmail(deps.settings, email),
    now: new Date(deps.clock.now()),
  });
}

/**
 * Sets a new password with a grant, which is thereby used up, and ends every session of the customer
 * but the one of this browser. The cookie makes this the customer's one known browser.
 * @throws ApiError `no_session` without a grant for this address, `invalid_input` for a password anybody
 * would guess (the grant stays), `overloaded`
 */
export async function changePassword(
  deps: RecoveryDeps & { passwords: Passwords },
  change: {
    email: string;
    password: string;
    token: string | undefined;
    session: Session | undefined;
  } & RequestOrigin,
): Promise<Cookie> {
  const { db } = deps.database;
  const key = recoveryKey(deps, change);
  if (!key || !(await hasGrant(db, key, new Date(deps.clock.now())))) throw unauthorized();
  const user = await findUserByEmail(db, change.email);
  if (!user) throw unauthorized();
  refuseGuessable(change.password, user);
  const person = { workspaceId: user.workspace_id, userId: user.id };
  const passwordHash = await deps.passwords.hash(change.password);
  const { address, browserToken } = change;
  const client = { address, browserToken };
  // Whoever forgot their password has tried some; they needn't wait for it now.
  await forgetOwnTries(deps, change.email, await findLane(deps, person, client));
  return deps.database.transaction(async (tx) => {
    const now = new Date(deps.clock.now());
    if (!(await takeGrant(tx, key, now))) throw unauthorized();
    await deleteRecoveries(tx, key.emailHash);
    await setPasswordHash(tx, person, passwordHash);
    const own = change.session?.userId === person.userId ? change.session.sessionId : undefined;
    await endOtherSessions(tx, person, own, now);
    const { workspaceId, userId: actor } = person;
    const payload = { kind: 'password_changed', userId: actor } as const;
    await insertMail(tx, { workspaceId, id: deps.ids.uuid(), payload, now });
    await appendAudit(tx, { workspaceId, actor, action: 'password_recovered', now });
    return rememberOnlyBrowser(deps, tx, person, client);
  });
}

function recoveryKey(
  deps: Pick<Deps, 'settings'>,
  { token, email }: { token: string | undefined; email: string },
): RecoveryKey | undefined {
  const tokenHash = hashToken(token);
  return tokenHash && { tokenHash, emailHash: hashEmail(deps, email) };
}

function wrongCode(): ApiError {
  const message = 'Invalid OTP. Please try again.';
  return new ApiError('wrong_code', message, { fields: { otp: message } });
}

function unauthorized(): ApiError {
  return new ApiError('no_session', 'Unauthorized access.');
}
