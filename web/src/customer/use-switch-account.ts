import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { useServices } from '#web/platform/services.ts';
import { useCustomer } from './customer.ts';
import { toastError } from '#web/ui/toasts/toast.ts';

/** Shows another account here at once, and tells the server, now or when it can be reached. */
export function useSwitchAccount(): (account: ConnectedAccount) => void {
  const { platform } = useServices();
  const { changes, showAccount } = useCustomer();
  const tell = async (account: ConnectedAccount): Promise<void> => {
    const outcome = await changes.switchAccount(account);
    if (outcome.kind === 'refused') toastError(outcome.message);
  };
  return (account) => {
    showAccount(account);
    tell(account).catch((error: unknown) =>
      // It is shown all the same; only the other devices don't learn of it.
      platform.report('The switch could not be queued', error),
    );
  };
}
