import { ApiError } from '../../api-error.ts';

/** The network doesn't tell why it shows nothing of an account, so the message names every cause (D6). */
export function accountUnreadable(igUsername: string): ApiError {
  const message = `We can’t read @${igUsername} on Instagram. The username may be misspelled or have changed, or the account is private, personal or age-restricted. It must be a public professional account.`;
  return new ApiError('account_unreadable', message, { fields: { igUsername: message } });
}
