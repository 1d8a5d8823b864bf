import { MEMBERSHIP_ENDED } from '#shared/contract/error-code.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { SessionTable } from '#server/kit/db/tables/session.table.ts';

/** Why a token that is sent is no session; `expired` also of one that this browser ended itself. */
export type SessionEnd = NonNullable<SessionTable['end_reason']> | 'expired' | 'account_deleted';

const SENTENCES: Record<SessionEnd, string> = {
  expired: 'Your session has ended. Please log in again.',
  signed_out: 'This device was logged out from another one.',
  password_changed: 'The password was changed, so this device was logged out.',
  membership_ended: 'You’re no longer a member of that workspace.',
  account_deleted: 'This account was deleted.',
};

/** Refuses whoever has no session, and says why (D2); without a reason nobody was signed in. */
export function noSession(end: SessionEnd | undefined): ApiError {
  if (!end) return new ApiError('no_session', 'Please log in to continue.');
  if (end === 'expired') return new ApiError('session_expired', SENTENCES[end]);
  // Whoever isn't there any more keeps nothing, not even what they haven't sent.
  const fields =
    end === 'membership_ended' ? { fields: { [MEMBERSHIP_ENDED]: SENTENCES[end] } } : {};
  return new ApiError('session_ended', SENTENCES[end], fields);
}
