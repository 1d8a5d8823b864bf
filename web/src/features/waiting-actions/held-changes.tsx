import { useEffect } from 'react';
import { useCustomer } from '#web/components/customer.ts';
import { useOutbox } from '#web/components/outbox.tsx';
import { useLocal } from '#web/components/use-local.ts';
import { areChangesHeld } from '#web/local-db/held-changes.ts';
import { readLocal } from '#web/local-db/local-rows.ts';
import { useDialogs } from '#web/platform/dialogs.ts';

/** Whether what waits here is sent only once its person has said so. */
export function useHeld(): boolean {
  const { db } = useCustomer();
  const isHeld = useLocal(() => readLocal(db, areChangesHeld), [db]) ?? false;
  return useOutbox().length > 0 && isHeld;
}

/** Offers what a device kept while it was signed out, before any of it is sent (D2). */
export function HeldChanges() {
  const isHeld = useHeld();
  const { open } = useDialogs();
  useEffect(() => {
    if (isHeld) open({ kind: 'waiting_actions' });
  }, [isHeld, open]);
  return null;
}
