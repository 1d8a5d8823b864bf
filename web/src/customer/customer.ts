import { createContext, useContext } from 'react';
import type { User } from '#shared/contract/people/user.ts';
import type { CallOptions } from '#web/api/client.ts';
import type { LocalDatabase } from '#web/replica/store/local-database.ts';
import type { LiveCustomer } from './live-customer.ts';
import type { Changes } from '#web/replica/outbox/make-changes.ts';
import type { SyncService } from '#web/replica/engine/sync-service.ts';

/** What the pages of a signed-in customer stand on. */
export interface Customer extends Pick<LiveCustomer, 'keepAnswer' | 'showAccount'> {
  userId: string;
  db: LocalDatabase;
  sync: SyncService;
  /** What can be done without network. */
  changes: Changes;
  /** Asks the server anew; resolves when the answer is shown, or none came. */
  refresh: (options?: CallOptions) => Promise<void>;
  /**
   * Wipes the replica, ends the session on the server and leaves for the log-in page. False, and
   * nothing done, when the server can't be reached, or when it isn't wanted any more once that is known.
   */
  logOut: (isWanted?: () => boolean) => Promise<boolean>;
  /** Closes these pages and opens those of the workspace that the session has just gone on in. */
  continueIn: (workspace: User) => Promise<void>;
}

export const CustomerContext = createContext<Customer | undefined>(undefined);

export function useCustomer(): Customer {
  const customer = useContext(CustomerContext);
  if (!customer) throw new Error('This page is only for customers who are signed in.');
  return customer;
}
