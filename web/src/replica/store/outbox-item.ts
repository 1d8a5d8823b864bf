/**
 * A change made here, on its way to the server:
 *
 *   queued ──> sending ──> accepted ──> gone, once the replica holds what it changed
 *     │  ^       │  └────> failed ──> queued again (retry) or gone (discard)
 *     │  └───────┤ deferred by the server: its number is burned first
 *     └── discarded (only while queued)
 *
 * A change that can be undone stays queued for that time.
 *
 * It gets its number (`mid`) when sending starts: a discarded change leaves no gap in the numbers.
 * Once numbered it is sent again and again under the same number until the server has answered,
 * so it happens exactly once. The answer that it isn't decided is no exception: a request that is still
 * on its way may carry the change out under the number, so no other change ever gets it.
 */
export interface OutboxItem {
  /** Sorts by the time of making. */
  id: string;
  name: string;
  /** Version of the arguments' form. */
  v: number;
  args: Record<string, unknown>;
  /** The change in the customer's words, for the list of what is pending. */
  title: string;
  /** Milliseconds since the epoch. */
  madeAt: number;
  state: OutboxState;
}

/** The server's answer that it couldn't decide yet; instants in milliseconds since the epoch. */
export interface Deferral {
  code: string;
  message: string;
  atMs: number;
  /** Not sent again before this. */
  dueAtMs: number;
}

/** The time in which a change can be undone before it is sent; instants in milliseconds since the epoch. */
export interface UndoTime {
  atMs: number;
  /** Not sent before this. */
  untilMs: number;
}

type OutboxState =
  /** `deferred`: the server couldn't decide when it was sent last. */
  | { kind: 'queued'; deferred?: Deferral; undo?: UndoTime }
  /** `deferred`: the number is being burned, and then the change is queued again. */
  | { kind: 'sending'; mid: number; deferred?: Deferral }
  /** Waits until each scope has reached its version, so that nothing flickers. */
  | { kind: 'accepted'; versions: Record<string, number> }
  | { kind: 'failed'; code: string; message: string };
