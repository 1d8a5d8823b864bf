import { type DeliverySettings, saveDeliverySettings } from '#shared/contract/account-changes.ts';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { useCustomer } from '#web/components/customer.ts';
import { useServices } from '#web/platform/services.ts';

/** How saving the settings ended. */
export type SaveOutcome =
  | { kind: 'saved' }
  | { kind: 'refused'; sentence: string }
  /** Nobody knows; saving again is safe, the settings are the same. */
  | { kind: 'no_answer' };

/** Saves an account's delivery settings and shows them here at once. */
export function useSaveDelivery(
  account: ConnectedAccount,
): (settings: DeliverySettings) => Promise<SaveOutcome> {
  const { api, state } = useServices();
  const { userId, sync } = useCustomer();
  const { igId } = account;
  return async (settings) => {
    const answer = await api.call(saveDeliverySettings, { userId, igId, settings });
    if (answer.kind === 'error') return { kind: 'refused', sentence: answer.message };
    if (answer.kind !== 'success') return { kind: 'no_answer' };
    const delivery = answer.data.settings;
    const { connectedAccounts } = state.getState();
    state.setState({
      connectedAccounts: connectedAccounts.map((one) =>
        one.igId === igId ? { ...one, delivery } : one,
      ),
    });
    sync.wake();
    return { kind: 'saved' };
  };
}
