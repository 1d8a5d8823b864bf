import { useEffect } from 'react';
import { useCustomer } from '#web/customer/customer.ts';
import { usePendingChanges } from '#web/customer/pending-changes/pending-changes.tsx';
import { useLocal } from '#web/customer/use-local.ts';
import { areChangesPaused } from '#web/replica/outbox/outbox.ts';
import { readLocal } from '#web/replica/store/local-database.ts';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';

/** Whether what waits here is sent only once its person has said so. */
export function usePaused(): boolean {
  const { db } = useCustomer();
  const isPaused = useLocal(() => readLocal(db, areChangesPaused), [db]) ?? false;
  return usePendingChanges().length > 0 && isPaused;
}

/** Offers what a device kept while it was signed out, before any of it is sent (D2). */
export function PausedChanges() {
  const isPaused = usePaused();
  const { open } = useDialogs();
  useEffect(() => {
    if (isPaused) open({ kind: 'waiting_actions' });
  }, [isPaused, open]);
  return null;
}
