import type { PullAnswer, PullRequest } from '#shared/sync/pull.ts';
import type { PushAnswer, PushRequest } from '#shared/sync/push.ts';
import type { SnapshotChunk, SnapshotEnd, SnapshotHead } from '#shared/sync/snapshot.ts';
import type { STREAM_EVENTS, StreamEvent, StreamEventName } from '#shared/sync/stream.ts';
import type { VerifyAnswer, VerifyRequest } from '#shared/sync/verify.ts';

/** Why the server gave no answer of the call's own. */
export type SyncFailure =
  /** No answer, a broken one, or the server is in trouble: try again later. */
  | { kind: 'unreachable' }
  /**
   * The session has ended; the data stay, unless it was ended from elsewhere: `because` of what.
   * `isUnknown`: the server knows of no session of this copy's customer here, not even of one that is over.
   */
  | { kind: 'log_in_again'; because?: string; isUnknown?: boolean }
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
