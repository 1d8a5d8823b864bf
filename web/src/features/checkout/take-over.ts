import { findConnectedAccounts } from '#shared/contract/connected-account.ts';
import type { User } from '#shared/contract/user.ts';
import { activeAccountOf, stateWithUser, withAccounts } from '#web/platform/client-state.ts';
import type { Services } from '#web/platform/services.ts';

/** The stored user is replaced by the returned one (S§4). */
export function takeOverUser({ state, hints }: Services, user: User): void {
  state.setState(stateWithUser(state.getState(), user));
  hints.remember(user);
}

/** After a plan was bought: its account becomes the active one, the accounts are read anew (S§2). */
export async function takeOverPlan(
  services: Services,
  user: User,
  igUsername: string,
): Promise<void> {
  const { api, state } = services;
  takeOverUser(services, user);
  const paidFor = user.connectedAccounts.find((account) => account.igUsername === igUsername);
  if (paidFor) state.setState({ activeAccount: activeAccountOf(paidFor) });
  const accounts = await api.call(findConnectedAccounts, { userId: user.id });
  if (accounts.kind === 'success') state.setState(withAccounts(state.getState(), accounts.data));
}
