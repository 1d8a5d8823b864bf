import type { SyncStatus } from '../network/sync-status.ts';

/** What the tabs of one user tell each other. */
export type TabMessage =
  /** From the leader, whenever it changes and when it is asked for. */
  | { kind: 'status'; status: SyncStatus }
  | { kind: 'ask' }
  | { kind: 'wake' }
  /** The replica is about to be wiped: nobody may touch it any more. */
  | { kind: 'wiping' };

export interface TabChannel {
  post: (message: TabMessage) => void;
  /** Calls back with what other tabs posted; returns how to stop. */
  listen: (listener: (message: TabMessage) => void) => () => void;
  close: () => void;
}

/** Hints between tabs; what is true stands in the replica. Without the API a tab is alone. */
export function openTabChannel(userId: string): TabChannel {
  if (!('BroadcastChannel' in globalThis)) {
    return { post: () => undefined, listen: () => () => undefined, close: () => undefined };
  }
  const channel = new BroadcastChannel(`ovation-sync-${userId}`);
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    post: (message) => channel.postMessage(message),
    listen: (listener) => {
      const hear = ({ data }: MessageEvent<TabMessage>): void => listener(data);
      channel.addEventListener('message', hear);
      return () => channel.removeEventListener('message', hear);
    },
    close: () => channel.close(),
  };
}

/**
 * Does the work while this tab is the leader: at once when no other is, otherwise when the one that
 * is has closed. The lock is held, never tested and then taken. Without locks every tab works, and
 * the term in the replica lets only the last that began write.
 */
export async function whileLeading(
  userId: string,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  if (!('locks' in navigator)) return work();
  try {
    await navigator.locks.request(`ovation-sync-${userId}`, { signal }, work);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
