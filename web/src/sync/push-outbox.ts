import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { beginSending, failRefused, keepResults, startNumbersAnew } from '../local-db/outbox.ts';
import type { SyncFailure } from './sync-network.ts';
import type { SyncWork } from './sync-work.ts';

/** `later`: the server hasn't decided; everything from there on waits. */
export type Pushed = { kind: 'done' } | { kind: 'later'; afterMs: number } | SyncFailure;

/** Sends what the outbox holds until nothing is queued or unanswered. */
export async function pushOutbox(
  { store, network, newId, report }: SyncWork,
  signal: AbortSignal,
): Promise<Pushed> {
  let gaps = 0;
  let atMost: number = SYNC_LIMITS.pushMutations;
  for (;;) {
    const request = await store.write((tx) => beginSending(tx, newId, atMost));
    if (request.mutations.length === 0) return { kind: 'done' };
    const pushed = await network.push(request, signal);
    if (pushed.kind === 'gap' && gaps === 0) {
      gaps += 1;
      report('The server does not know this client any more; changes are numbered anew');
      await store.write((tx) => startNumbersAnew(tx, newId));
      continue;
    }
    if (pushed.kind === 'refused') {
      const { code } = pushed;
      const [first] = request.mutations;
      // Which of them it is shows when each is sent by itself.
      if (atMost > 1) atMost = 1;
      else if (first) {
        report('The server refused a change', `${first.name} ${code}`);
        await store.write((tx) => failRefused(tx, newId, { mid: first.mid, code }));
      }
      continue;
    }
    if (pushed.kind !== 'ok') return pushed;
    const { results } = pushed.value;
    await store.write((tx) => keepResults(tx, results));
    const later = results.find(({ status }) => status === 'later');
    if (later?.status === 'later') return { kind: 'later', afterMs: later.retryAfterMs };
    // An answer without results would be asked for over and over.
    if (results.length === 0) return { kind: 'unreachable' };
  }
}
