import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';

/** The accounts whose name contains what was typed, with or without the @ before it. */
function findAccounts(
  accounts: readonly ConnectedAccount[],
  text: string,
): readonly ConnectedAccount[] {
  const wanted = text.trim().toLowerCase().replace(/^@/, '');
  return wanted === ''
    ? accounts
    : accounts.filter(({ igUsername }) => igUsername.toLowerCase().includes(wanted));
}

/** An account, or all of them together. */
export type AccountChoice = ConnectedAccount | 'all';

/** What a list of accounts offers: whoever has several can have them all, before they search for one. */
export function accountChoices(
  accounts: readonly ConnectedAccount[],
  text: string,
): readonly AccountChoice[] {
  const found = findAccounts(accounts, text);
  return accounts.length > 1 && text.trim() === '' ? ['all', ...found] : found;
}
