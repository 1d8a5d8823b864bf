import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { useClientState } from '#web/platform/services.ts';

/** The account whose posts are shown; undefined without one. */
export function useShownAccount(): ConnectedAccount | undefined {
  return useClientState(({ connectedAccounts, activeAccount }) =>
    connectedAccounts.find(({ igUsername }) => igUsername === activeAccount?.activeusername),
  );
}
