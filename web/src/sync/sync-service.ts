import type { Refreshed } from './refresh.ts';
import type { Sleep } from './sleep.ts';

/** Something long-running: `run` resolves after `stop`, and may be run again. */
export interface Service {
  run(): Promise<void>;
  stop(): void;
}

/** What a screen may say about how fresh the local copy is. */
export type SyncStatus =
  | { kind: 'starting' }
  | { kind: 'fresh' }
  | { kind: 'posts_unreadable'; sentence: string }
  | { kind: 'unreachable' };

export interface SyncService extends Service {
  status: () => SyncStatus;
  subscribe: (listener: () => void) => () => void;
  /** Refreshes now instead of when it would be due. */
  wake(): void;
}

export interface SyncDeps {
  refresh(signal: AbortSignal): Promise<Refreshed>;
  sleep: Sleep;
  isVisible(): boolean;
  /** Calls back when the person or the network returns. */
  onWake(listener: () => void): () => void;
  report(event: string, detail: unknown): void;
}

/** Likes that arrive are worth watching; a quiet account is not. */
const BUSY_INTERVAL_MS = 2000;
const QUIET_INTERVAL_MS = 5000;
const BACKOFF_MAX_MS = 30_000;

/** How long to wait after a refresh; `failures` counts those in a row. */
export function nextDelayMs(refreshed: Refreshed, failures: number, isVisible: boolean): number {
  if (refreshed.kind === 'unreachable') {
    return Math.min(BACKOFF_MAX_MS, BUSY_INTERVAL_MS * 2 ** Math.min(failures - 1, 10));
  }
  const isBusy = refreshed.kind === 'fresh' && refreshed.isInProgress;
  return isBusy && isVisible ? BUSY_INTERVAL_MS : QUIET_INTERVAL_MS;
}

/**
 * Keeps the local copy fresh by polling:
 *
 *   run ──> refresh ──> wait (2 s busy, 5 s quiet, 2-30 s after failures) ──> refresh ...
 *              │                     └── wake: refresh at once
 *              └── session ended: the run ends
 */
export function createSyncService(deps: SyncDeps): SyncService {
  const listeners = new Set<() => void>();
  let status: SyncStatus = { kind: 'starting' };
  let stopping = new AbortController();
  let waiting = new AbortController();

  const setStatus = (next: SyncStatus): void => {
    if (JSON.stringify(next) === JSON.stringify(status)) return;
    status = next;
    for (const listener of listeners) listener();
  };

  const wake = (): void => waiting.abort();

  const loop = async (signal: AbortSignal): Promise<void> => {
    let failures = 0;
    while (!signal.aborted) {
      // Made before the refresh, so that a wake during it is not lost.
      waiting = new AbortController();
      const refreshed = await attempt(deps, signal);
      if (signal.aborted || refreshed.kind === 'session_ended') return;
      failures = refreshed.kind === 'unreachable' ? failures + 1 : 0;
      setStatus(statusAfter(refreshed));
      const delayMs = nextDelayMs(refreshed, failures, deps.isVisible());
      await deps.sleep(delayMs, AbortSignal.any([signal, waiting.signal]));
    }
  };

  return {
    run: async () => {
      stopping.abort();
      stopping = new AbortController();
      const stopListening = deps.onWake(wake);
      try {
        await loop(stopping.signal);
      } finally {
        stopListening();
      }
    },
    stop: () => stopping.abort(),
    wake,
    status: () => status,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function statusAfter(refreshed: Exclude<Refreshed, { kind: 'session_ended' }>): SyncStatus {
  return refreshed.kind === 'fresh' ? { kind: 'fresh' } : refreshed;
}

/** A refresh that breaks (a full disk, a closed database) counts as a failed one. */
async function attempt(deps: SyncDeps, signal: AbortSignal): Promise<Refreshed> {
  try {
    return await deps.refresh(signal);
  } catch (error) {
    if (!signal.aborted) deps.report('A refresh broke', error);
    return { kind: 'unreachable' };
  }
}
