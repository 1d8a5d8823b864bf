import { useEffect, useRef } from 'react';
import { useCustomer } from '#web/components/customer.ts';
import { useOutbox } from '#web/components/outbox.tsx';
import { toastError } from '#web/components/toast.ts';
import { useServices } from '#web/platform/services.ts';
import { newlyRefused, refusalToast } from './newly-refused.ts';

/** Says so when something that was queued is refused, wherever the person is by then (D9). */
export function RefusedLater() {
  const items = useOutbox();
  const { actions } = useCustomer();
  const { platform } = useServices();
  const before = useRef(items);
  useEffect(() => {
    const refused = newlyRefused(before.current, items);
    before.current = items;
    // Of several windows the one that is looked at speaks; a dialog that waits speaks for itself.
    if (!platform.isVisible()) return;
    for (const item of refused) {
      if (!actions.isAttended(item.id)) toastError(refusalToast(item));
    }
  }, [items, actions, platform]);
  return null;
}
