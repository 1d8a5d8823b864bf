import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { useClientState } from '#web/platform/services.ts';

/** The account the open dialog is about, as the server told it last; undefined without one. */
export function useModalAccount(): ConnectedAccount | undefined {
  const about = useClientState((state) => state.modalAccount);
  const accounts = useClientState((state) => state.connectedAccounts);
  const live = accounts.find((account) => account.igUsername === about?.igUsername);
  return live ?? about ?? undefined;
}
