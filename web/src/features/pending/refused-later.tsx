import { useEffect, useRef } from 'react';
import { useCustomer } from '#web/customer/customer.ts';
import { usePendingChanges } from '#web/customer/pending-changes/pending-changes.tsx';
import { toastError } from '#web/ui/toasts/toast.ts';
import { useServices } from '#web/platform/services.ts';
import type { OutboxItem } from '#web/replica/store/outbox-item.ts';

/** Says so when something that was queued is refused, wherever the person is by then (D9). */
export function RefusedLater() {
  const items = usePendingChanges();
  const { changes } = useCustomer();
  const { platform } = useServices();
  const before = useRef(items);
  useEffect(() => {
    const refused = newlyRefused(before.current, items);
    before.current = items;
    // Of several windows the one that is looked at speaks; a dialog that waits speaks for itself.
    if (!platform.isVisible()) return;
    for (const item of refused) {
      if (!changes.isAttended(item.id)) toastError(refusalToast(item));
    }
  }, [items, changes, platform]);
  return null;
}

/** The changes that were on their way before and are refused now. */
export function newlyRefused(
  before: readonly OutboxItem[],
  now: readonly OutboxItem[],
): OutboxItem[] {
  const onTheirWay = new Set(
    before.filter(({ state }) => state.kind !== 'failed').map(({ id }) => id),
  );
  return now.filter(({ id, state }) => state.kind === 'failed' && onTheirWay.has(id));
}

/** S§8's sentence for extra likes with the reason; for the rest what was refused, and why. */
export function refusalToast({ name, title, state }: OutboxItem): string {
  const reason = state.kind === 'failed' ? state.message : '';
  return name === 'orderLikes' ? `Unable to buy likes: ${reason}` : `${title}: ${reason}`;
}
