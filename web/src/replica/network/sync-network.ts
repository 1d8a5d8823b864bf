import type { PullAnswer, PullRequest } from '#shared/sync/pull.ts';
import type { PushAnswer, PushRequest } from '#shared/sync/push.ts';
import type { SnapshotChunk, SnapshotEnd, SnapshotHead } from '#shared/sync/snapshot.ts';
import type { STREAM_EVENTS, StreamEvent, StreamEventName } from '#shared/sync/stream.ts';
import type { VerifyAnswer, VerifyRequest } from '#shared/sync/verify.ts';
import type { SyncStore } from '../store/sync-store.ts';

/** Why the server gave no answer of the call's own. */
export type SyncFailure =
  /** No answer, a broken one, or the server is in trouble: try again later. */
  | { kind: 'unreachable' }
  /**
   * The session has ended; the data stay, unless it was ended from elsewhere: `because` of what.
   * `isGone`: they aren't a member any more, and not even unsent changes may stay.
   * `isUnknown`: the server knows of no session of this replica's customer here, not even of one that is over.
   */
  | { kind: 'log_in_again'; because?: string; isUnknown?: boolean; isGone?: boolean }
  /** This client is too old to be understood. */
  | { kind: 'upgrade' }
  /** What was asked to go on can't; it begins anew. */
  | { kind: 'gone' }
  /** The server takes no such request, however often it is sent. */
  | { kind: 'refused'; code: string }
  /** Changes are missing between the last executed one and those sent. */
  | { kind: 'gap' };

export type Fetched<Value> = { kind: 'ok'; value: Value } | SyncFailure;

export interface SnapshotParameters {
  scope: string;
  /** Read in this order; undefined: all of the scope. */
  entities?: readonly string[];
  after?: string;
  account?: string;
  limit?: number;
  /** The first head's version, when going on. */
  v?: number;
}

export type SnapshotLine =
  | ({ kind: 'head' } & SnapshotHead)
  | ({ kind: 'chunk' } & SnapshotChunk)
  | ({ kind: 'end' } & SnapshotEnd);

export type LiveEvent =
  | { [Name in StreamEventName]: { kind: Name } & StreamEvent<Name> }[keyof typeof STREAM_EVENTS]
  /** Nothing happened, and the connection is alive. */
  | { kind: 'heartbeat' };

/** The sync calls of one signed-in session. Only an abort makes them throw. */
export interface SyncNetwork {
  pull(request: PullRequest, signal: AbortSignal): Promise<Fetched<PullAnswer>>;
  push(request: PushRequest, signal: AbortSignal): Promise<Fetched<PushAnswer>>;
  verify(request: VerifyRequest, signal: AbortSignal): Promise<Fetched<VerifyAnswer>>;
  /** Lines as they arrive, some at a time; without an end when the connection broke. */
  snapshot(
    parameters: SnapshotParameters,
    signal: AbortSignal,
  ): Promise<Fetched<AsyncIterable<SnapshotLine[]>>>;
  /** Events as they arrive; ends when the connection does. */
  stream(signal: AbortSignal): Promise<Fetched<AsyncIterable<LiveEvent>>>;
}

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
export interface Blocked {
  kind: 'blocked';
  forMs: number;
}

export const DONE: Worked = { kind: 'done' };
