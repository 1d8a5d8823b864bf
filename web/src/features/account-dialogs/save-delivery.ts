import type { DeliverySettings } from '#shared/contract/account-changes.ts';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { useCustomer } from '#web/components/customer.ts';
import { useServices } from '#web/platform/services.ts';

/** How saving the settings ended. */
export type SaveOutcome =
  | { kind: 'saved' }
  /** They wait here, and are sent when the server can be reached; `reason`: why they do though it can. */
  | { kind: 'queued'; reason?: string }
  | { kind: 'refused'; sentence: string }
  /** This device couldn't keep them: nothing was saved. */
  | { kind: 'not_kept' };

/** Saves an account's delivery settings and shows them here at once. */
export function useSaveDelivery(
  account: ConnectedAccount,
): (settings: DeliverySettings) => Promise<SaveOutcome> {
  const { platform } = useServices();
  const { actions } = useCustomer();
  return async (settings) => {
    try {
      const outcome = await actions.saveDelivery(account, settings);
      if (outcome.kind === 'refused') return { kind: 'refused', sentence: outcome.message };
      return outcome.kind === 'queued' ? outcome : { kind: 'saved' };
    } catch (error) {
      platform.report('Delivery settings could not be queued', error);
      return { kind: 'not_kept' };
    }
  };
}
