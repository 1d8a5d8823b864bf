import { createContext, useContext } from 'react';
import type { CallOptions } from '../api/client.ts';
import type { LocalDatabase } from '../local-db/local-database.ts';
import type { Actions } from '../sync/actions.ts';
import type { SyncService } from '../sync/sync-service.ts';

/** What the pages of a signed-in customer stand on. */
export interface Customer {
  userId: string;
  db: LocalDatabase;
  sync: SyncService;
  /** What can be done without network. */
  actions: Actions;
  /** Reads the user anew; resolves when the state has it, or the reading failed. */
  refreshUser: (options?: CallOptions) => Promise<void>;
  /**
   * Wipes the local copy, ends the session on the server and leaves for the log-in page. False, and
   * nothing done, when the server can't be reached.
   */
  logOut: () => Promise<boolean>;
}

export const CustomerContext = createContext<Customer | undefined>(undefined);

export function useCustomer(): Customer {
  const customer = useContext(CustomerContext);
  if (!customer) throw new Error('This page is only for customers who are signed in.');
  return customer;
}
