import type { SyncStore } from '../local-db/sync-store.ts';
import type { SyncFailure, SyncNetwork } from './sync-network.ts';

/** What the parts of sync work with. The store is the leader's: a fenced one. */
export interface SyncWork {
  store: SyncStore;
  network: SyncNetwork;
  /** Milliseconds since the epoch, by this device's clock. */
  now: () => number;
  newId: () => string;
  report: (event: string, detail?: unknown) => void;
}

/** How a part of sync ended. */
export type Worked = { kind: 'done' } | SyncFailure;

/** A scope was read anew a short while ago and can't be again yet: what is held of it is not what is. */
export interface Held {
  kind: 'held';
  forMs: number;
}

export const DONE: Worked = { kind: 'done' };
