import type { Sleep } from '#web/platform/async.ts';
import { isReachable, type SyncStatus } from '../network/sync-status.ts';
import type { Refused } from './likes-orders.ts';
import type { OutboxItem } from '../store/outbox-item.ts';

/** How a change ended as far as is known now. */
export type ChangeOutcome =
  | { kind: 'done' }
  /** It waits here and is sent as soon as that is possible; `reason`: why, though the server is there. */
  | { kind: 'queued'; reason?: string }
  /** The server said no: nothing was done. */
  | Refused;

export interface OutcomeDeps {
  /** Calls back with an outbox item now and whenever it changes; returns how to stop. */
  watchItem(id: string, listener: (item: OutboxItem | undefined) => void): () => void;
  /** What sends it. */
  sync: {
    wake: () => void;
    status: () => SyncStatus;
    subscribe: (listener: () => void) => () => void;
  };
  sleep: Sleep;
}

/** An answer takes well under a second; who waits longer has no network worth the name. */
const ANSWER_MS = 8000;
const SILENT = 'The server hasn’t answered yet.';

/** The answer to a queued change; `queued` as soon as none is to be expected soon. */
export async function answerTo(deps: OutcomeDeps, id: string): Promise<ChangeOutcome> {
  const { sync } = deps;
  sync.wake();
  if (!isReachable(sync.status())) return { kind: 'queued' };
  const answered = Promise.withResolvers<ChangeOutcome>();
  const ended = new AbortController();
  const stopItem = deps.watchItem(id, (item) => {
    const outcome = outcomeOf(item);
    if (outcome) answered.resolve(outcome);
  });
  const stopStatus = sync.subscribe(() => {
    if (!isReachable(sync.status())) answered.resolve({ kind: 'queued' });
  });
  void deps
    .sleep(ANSWER_MS, ended.signal)
    .then(() => answered.resolve({ kind: 'queued', reason: SILENT }));
  try {
    return await answered.promise;
  } finally {
    stopItem();
    stopStatus();
    ended.abort();
  }
}

function outcomeOf(item: OutboxItem | undefined): ChangeOutcome | undefined {
  // Done changes leave as soon as the replica holds what they changed.
  if (!item) return { kind: 'done' };
  switch (item.state.kind) {
    case 'queued':
    case 'sending':
      return item.state.deferred && { kind: 'queued', reason: item.state.deferred.message };
    case 'accepted':
      return { kind: 'done' };
    case 'failed':
      return { kind: 'refused', code: item.state.code, message: item.state.message };
    default:
      return item.state satisfies never;
  }
}

/** How several ended together: refused when one was, done when all are. */
export function outcomeOfAll(outcomes: readonly ChangeOutcome[]): ChangeOutcome {
  const worst = (['refused', 'queued'] as const).flatMap((kind) =>
    outcomes.filter((outcome) => outcome.kind === kind),
  );
  return worst[0] ?? { kind: 'done' };
}
