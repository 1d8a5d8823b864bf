import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { activeAccountOf } from '../platform/client-state.ts';
import { useServices } from '../platform/services.ts';
import { useCustomer } from './customer.ts';
import { toastError } from './toast.ts';

/** Shows another account here at once, and tells the server, now or when it can be reached. */
export function useSwitchAccount(): (account: ConnectedAccount) => void {
  const { state, platform } = useServices();
  const { actions } = useCustomer();
  const tell = async (account: ConnectedAccount): Promise<void> => {
    const outcome = await actions.switchAccount(account);
    if (outcome.kind === 'refused') toastError(outcome.message);
  };
  return (account) => {
    state.setState({ activeAccount: activeAccountOf(account) });
    tell(account).catch((error: unknown) =>
      // It is shown all the same; only the other devices don't learn of it.
      platform.report('The switch could not be queued', error),
    );
  };
}
