import { useSyncExternalStore } from 'react';
import { isReachable } from '#web/replica/network/sync-status.ts';
import { useCustomer } from './customer.ts';

/** Whether a change made now can be expected to reach the server at once. */
export function useReachable(): boolean {
  const { sync } = useCustomer();
  return isReachable(useSyncExternalStore(sync.subscribe, sync.status));
}
