/** What whoever adds an account is told when the server may have heard. */
export const ADDED_ONCE =
  'We couldn’t reach the server. It’s safe to try again: nothing will be connected twice.';
