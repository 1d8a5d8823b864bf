import type { LocalUser } from '../local-db/local-user.ts';
import { activeAccountOf, type ClientState } from '../platform/client-state.ts';

/**
 * The state with the account that was shown last, on whichever device: where nothing else was chosen
 * here than the default account. Undefined: it stays as it is.
 */
export function preferredAccount(
  { activeAccount, user }: Pick<ClientState, 'activeAccount' | 'user'>,
  local: Pick<LocalUser, 'user' | 'accounts'>,
): ClientState['activeAccount'] | undefined {
  if (!activeAccount || activeAccount.activeusername !== user?.defaultIgUsername) return undefined;
  const { activeAccountId } = local.user.preferences;
  const preferred = local.accounts.find(({ accountId }) => accountId === activeAccountId);
  return preferred && activeAccountOf(preferred);
}
