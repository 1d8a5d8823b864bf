import type { SyncStatus } from './sync-status.ts';

/** Whether the server is there as far as is known, so that an answer may be expected. */
export function isReachable({ kind }: SyncStatus): boolean {
  return kind === 'live' || kind === 'syncing' || kind === 'starting';
}
