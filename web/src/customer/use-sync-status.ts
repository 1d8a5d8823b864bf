import { useSyncExternalStore } from 'react';
import type { SyncStatus } from '#web/replica/network/sync-status.ts';
import { useCustomer } from './customer.ts';

/** How fresh the replica is, live. */
export function useSyncStatus(): SyncStatus {
  const { sync } = useCustomer();
  return useSyncExternalStore(sync.subscribe, sync.status);
}
