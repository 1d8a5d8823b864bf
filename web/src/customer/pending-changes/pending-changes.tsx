import { createContext, type ReactNode, useContext } from 'react';
import { listPendingChanges } from '#web/replica/outbox/outbox.ts';
import type { OutboxItem } from '#web/replica/store/outbox-item.ts';
import { useCustomer } from '../customer.ts';
import { useLocal } from '../use-local.ts';

const PendingChangesContext = createContext<readonly OutboxItem[]>([]);

/** Reads what waits once for everything inside, because many cards ask for it. */
export function PendingChangesProvider({ children }: { children: ReactNode }) {
  const { db } = useCustomer();
  const items = useLocal(() => listPendingChanges(db), [db]);
  return (
    <PendingChangesContext value={items?.filter(isShown) ?? []}>{children}</PendingChangesContext>
  );
}

/** That somebody has looked at their alerts is nothing they wait for. */
const isShown = ({ name, args }: OutboxItem): boolean =>
  name !== 'setAlerts' || !Object.hasOwn(args, 'readUntil');

/** The changes made here that the server hasn't done yet, oldest first. */
export function usePendingChanges(): readonly OutboxItem[] {
  return useContext(PendingChangesContext);
}
