import { listPendingChanges } from '#web/replica/outbox/outbox.ts';
import { useDialogs } from '../dialogs/dialogs.ts';
import { useCustomer } from '../customer.ts';
import { toastError } from '#web/ui/toasts/toast.ts';

export const MAYBE_LOGGED_IN =
  'We couldn’t reach the server, so you may still be logged in. Please try again.';

/**
 * Logs out, or first asks what to do with changes that the server hasn't got yet. Resolves when the
 * page may be used again, or is being left.
 */
export function useLogOut(): () => Promise<void> {
  const { db, logOut } = useCustomer();
  const dialogs = useDialogs();
  return async () => {
    // A replica that can't be read holds nothing that could still be sent.
    const waiting = await listPendingChanges(db).catch(() => []);
    if (waiting.length > 0) dialogs.open({ kind: 'log_out' });
    else if (!(await logOut())) toastError(MAYBE_LOGGED_IN);
  };
}
