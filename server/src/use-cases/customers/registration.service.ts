import type { CallParsed } from '#shared/contract/call.ts';
import type { register } from '#shared/contract/people/user.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { InWorkspace } from '#server/kit/db/people.ts';
import { isUniqueViolation } from '#server/kit/db/database-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { usesByAddress } from '#server/identity/limits/address-limit.ts';
import { isWithinLimit, LIMITS } from '#server/identity/limits/rate-limit.ts';
import { pollUntilRead } from '#server/network/accounts/poll-schedule.repository.ts';
import { accountUnreadable } from '#server/network/accounts/account-refusals.ts';
import { insertAccount } from '#server/network/accounts/account.repository.ts';
import { storeAccountReading } from '#server/network/accounts/reading.repository.ts';
import { grantBonus } from '#server/money/credits/ledger.service.ts';
import {
  type ProfileReading,
  readProfile,
  findRememberedProfile,
} from '#server/network/allowance/profile-reading.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { insertMail } from '#server/mail/owed-mail.repository.ts';
import { claimPromo } from '#server/identity/promo/promo-grant.repository.ts';
import type { Cookie } from '#server/kit/http/cookie.ts';
import { refuseGuessable } from '#server/identity/users/guessable-password.ts';
import {
  type RequestOrigin,
  rememberBrowser,
} from '#server/identity/sessions/known-browser.service.ts';
import type { Passwords } from '#server/identity/users/password.ts';
import { openSession, type SignIn } from '#server/identity/sessions/session.service.ts';
import {
  findUserByEmail,
  insertUser,
  setDefaultAccount,
} from '#server/identity/users/user.repository.ts';

export type Registration = CallParsed<typeof register>;

export interface Registered extends InWorkspace {
  signIn: SignIn;
  /** Makes this a known browser of the customer. */
  browser: Cookie;
}

interface SignupBonus {
  credits: number;
  /** The promo window it belongs to. */
  windowId: string;
}

/**
 * Makes a customer: workspace, user, connected account, welcome mail and session, or nothing at all.
 * The network is asked first: a name it can't show is refused; when it can't be asked, the account is
 * accepted and looked up later. A `bonus` is given with it, unless its promo window has given one before (D8).
 *
 * @throws ApiError `invalid_input` (a password anybody would guess), `email_taken`, `account_unreadable`, `overloaded`
 */
export async function registerUser(
  deps: Deps & { passwords: Passwords },
  registration: Registration,
  {
    userAgent,
    bonus,
    ...client
  }: { userAgent: string; bonus: SignupBonus | undefined } & RequestOrigin,
): Promise<Registered> {
  const { keepSignedIn } = registration;
  refuseGuessable(registration.password, registration);
  if (await findUserByEmail(deps.database.db, registration.email)) throw emailTaken();
  const reading = await readAtSignUp(deps, registration.igUsername, client.address);
  if (reading.kind === 'unreadable') throw accountUnreadable(registration.igUsername);
  const passwordHash = await deps.passwords.hash(registration.password);
  const person = { workspaceId: deps.ids.uuid(), userId: deps.ids.uuid() };
  try {
    return await deps.database.transaction(async (tx) => {
      const now = new Date(deps.clock.now());
      await storeUser(tx, person, { ...registration, passwordHash, now });
      await connectFirstAccount(deps, tx, person, { ...registration, reading, now });
      if (bonus && (await claimPromo(tx, bonus.windowId, now))) {
        const { workspaceId } = person;
        await grantBonus(tx, deps, { workspaceId, credits: bonus.credits, now });
      }
      await insertMail(tx, {
        workspaceId: person.workspaceId,
        id: deps.ids.uuid(),
        payload: { kind: 'welcome', userId: person.userId },
        now,
      });
      const signIn = await openSession(deps, tx, { ...person, keepSignedIn, userAgent });
      const browser = await rememberBrowser(deps, tx, person, client);
      const { workspaceId, userId: actor } = person;
      await appendAudit(tx, { workspaceId, actor, action: 'registered', now });
      return { ...person, signIn, browser };
    });
  } catch (error) {
    if (isUniqueViolation(error, 'email_is_taken')) throw emailTaken();
    throw error;
  }
}

/** Counts as a look-up of its address; beyond those the network isn't asked, and the account is accepted. */
async function readAtSignUp(
  deps: Deps,
  igUsername: string,
  address: string,
): Promise<ProfileReading> {
  const known = await findRememberedProfile(deps, igUsername);
  if (known) return known;
  for (const use of usesByAddress(LIMITS.lookUpAddress, address)) {
    if (await isWithinLimit(deps, use)) continue;
    return { kind: 'throttled', retryAfterMs: use.perMs };
  }
  return readProfile(deps, { igUsername, share: 'unpaid' });
}

async function storeUser(
  tx: Tx,
  person: InWorkspace,
  user: Registration & { passwordHash: string; now: Date },
): Promise<void> {
  await insertUser(tx, {
    workspace_id: person.workspaceId,
    id: person.userId,
    name: user.name,
    email: user.email,
    phone: user.phone,
    password_hash: user.passwordHash,
    package: user.package,
    time_zone: user.timeZone,
    created_at: user.now,
  });
}

async function connectFirstAccount(
  deps: Pick<Deps, 'ids'>,
  tx: Tx,
  person: InWorkspace,
  account: { igUsername: string; reading: ProfileReading; now: Date },
): Promise<void> {
  const { workspaceId } = person;
  const { igUsername, reading, now } = account;
  const accountId = deps.ids.uuid();
  await insertAccount(tx, { workspaceId, id: accountId, igUsername, now });
  await setDefaultAccount(tx, person, accountId);
  await storeAccountReading(tx, { workspaceId, accountId, reading, now });
  if (reading.kind !== 'read') await pollUntilRead(tx, { workspaceId, accountId, igUsername, now });
}

export function emailTaken(): ApiError {
  const message = 'This email address is already registered. Please log in.';
  return new ApiError('email_taken', message, { fields: { email: message } });
}
