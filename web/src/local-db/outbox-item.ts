/**
 * A change made here, on its way to the server:
 *
 *   queued ──> sending ──> accepted ──> gone, once the copy holds what it changed
 *     │          │  └────> failed ──> queued again (retry) or gone (discard)
 *     └──────────┴── discarded (only while queued)
 *
 * It gets its number (`mid`) when sending starts: a discarded change leaves no gap in the numbers.
 * Once numbered it is sent again and again under the same number until the server has answered,
 * so it happens exactly once.
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

export type OutboxState =
  | { kind: 'queued' }
  | { kind: 'sending'; mid: number }
  /** Waits until each scope has reached its version, so that nothing flickers. */
  | { kind: 'accepted'; versions: Record<string, number> }
  | { kind: 'failed'; code: string; message: string };
