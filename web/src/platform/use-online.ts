import { useSyncExternalStore } from 'react';
import { useServices } from './services.ts';

/** Whether the shell believes to be online. */
export function useOnline(): boolean {
  const { platform } = useServices();
  return useSyncExternalStore(platform.onConnectivityChange, platform.isOnline);
}
