import type { ConnectedAccount } from '#shared/contract/connected-account.ts';

/** The accounts whose name contains what was typed, with or without the @ before it. */
export function findAccounts(
  accounts: readonly ConnectedAccount[],
  text: string,
): readonly ConnectedAccount[] {
  const wanted = text.trim().toLowerCase().replace(/^@/, '');
  return wanted === ''
    ? accounts
    : accounts.filter(({ igUsername }) => igUsername.toLowerCase().includes(wanted));
}
