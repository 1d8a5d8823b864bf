import { ApiError } from '#server/kit/api-error.ts';

/** Of another customer, or nobody's: neither is told. */
export function notYourAccount(): ApiError {
  return new ApiError('not_yours', 'This isn’t one of your accounts.');
}

export function notConnected(igUsername: string): ApiError {
  return new ApiError('not_found', `@${igUsername} isn’t one of your connected accounts.`);
}

/** The network doesn't tell why it shows nothing of an account, so the message names every cause (D6). */
export function accountUnreadable(igUsername: string): ApiError {
  const message = `We can’t read @${igUsername} on Instagram. The username may be misspelled or have changed, or the account is private, personal or age-restricted. It must be a public professional account.`;
  return new ApiError('account_unreadable', message, { fields: { igUsername: message } });
}
