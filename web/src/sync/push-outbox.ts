import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import {
  beginSending,
  failRefused,
  isSpending,
  startNumbersAnew,
} from '../local-db/begin-sending.ts';
import { type Answered, keepResults } from '../local-db/keep-results.ts';
import { actionOf, replaces } from './action.ts';
import type { SyncFailure } from './sync-network.ts';
import type { SyncWork } from './sync-work.ts';

/** So many changes may be put off in one go: when all of them are, it isn't about the one. */
const MOST_PUT_OFF = 5;

/** `later`: the server couldn't decide something; what can be decided was sent. */
export type Pushed = { kind: 'done' } | { kind: 'later'; afterMs: number } | SyncFailure;

/** Sends what the outbox holds until nothing is queued or unanswered. */
export async function pushOutbox(
  { store, network, now, newId, report }: SyncWork,
  signal: AbortSignal,
): Promise<Pushed> {
  let gaps = 0;
  let atMost: number = SYNC_LIMITS.pushMutations;
  let putOff = 0;
  for (;;) {
    const { clientId, mutations, dueInMs } = await store.write((tx) =>
      beginSending(tx, { newId, nowMs: now(), atMost }),
    );
    if (mutations.length === 0) {
      return dueInMs === undefined ? { kind: 'done' } : { kind: 'later', afterMs: dueInMs };
    }
    const pushed = await network.push({ clientId, mutations }, signal);
    if (pushed.kind === 'gap' && gaps === 0) {
      gaps += 1;
      report('The server does not know this client any more; changes are numbered anew');
      await store.write((tx) => startNumbersAnew(tx, newId));
      continue;
    }
    if (pushed.kind === 'refused') {
      const { code } = pushed;
      const [first] = mutations;
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
    await store.write((tx) => keepResults(tx, results, { nowMs: now(), replaces: isReplaced }));
    const later = results.find(({ status }) => status === 'later');
    if (later?.status === 'later') {
      const isSpent = mutations.some((each) => each.mid === later.mid && isSpending(each));
      putOff += 1;
      if (isSpent || putOff >= MOST_PUT_OFF) return { kind: 'later', afterMs: later.retryAfterMs };
    }
    // An answer without results would be asked for over and over.
    if (results.length === 0) return { kind: 'unreachable' };
  }
}

const isReplaced: Answered['replaces'] = (later, earlier) => {
  const [next, before] = [actionOf(later), actionOf(earlier)];
  return next !== undefined && before !== undefined && replaces(next, before);
};
