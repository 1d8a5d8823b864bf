import { useSyncExternalStore } from 'react';
import type { SyncStatus } from '../sync/sync-status.ts';
import { useCustomer } from './customer.ts';

/** How fresh the local copy is, live. */
export function useSyncStatus(): SyncStatus {
  const { sync } = useCustomer();
  return useSyncExternalStore(sync.subscribe, sync.status);
}
