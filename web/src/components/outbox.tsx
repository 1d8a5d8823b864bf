import { createContext, type ReactNode, useContext } from 'react';
import type { OutboxItem } from '../local-db/outbox-item.ts';
import { listWaiting } from '../local-db/local-outbox.ts';
import { useCustomer } from './customer.ts';
import { useLocal } from './use-local.ts';

const OutboxContext = createContext<readonly OutboxItem[]>([]);

/** Reads what waits once for everything inside, because many cards ask for it. */
export function OutboxProvider({ children }: { children: ReactNode }) {
  const { db } = useCustomer();
  const items = useLocal(() => listWaiting(db), [db]);
  return <OutboxContext value={items ?? []}>{children}</OutboxContext>;
}

/** The changes made here that the server hasn't done yet, oldest first. */
export function useOutbox(): readonly OutboxItem[] {
  return useContext(OutboxContext);
}
