import type { PushRequest } from '#shared/sync/push.ts';
import { createHttpNetwork } from '#web/replica/network/http-network.ts';
import type { StreamTally } from './stream-tally.ts';
import type { LiveEvent, SyncNetwork } from '#web/replica/network/sync-network.ts';

export interface Faults {
  random: () => number;
  /** Off while the end is checked. */
  areOn: boolean;
  tally: StreamTally;
  /** Told of each event as the server sends it, before the line does anything to it. */
  onEvent: () => void;
}

/** Share of the calls that go wrong in each way. */
const LOST_REQUEST = 0.04;
const LOST_ANSWER = 0.05;
const BUSY = 0.03;
const CUT_SNAPSHOT = 0.2;
const STRANGE_EVENT = 0.6;
const PUT_OFF = 0.2;

/** The client's own network over the real app, on a line that loses requests, answers and halves of them. */
export function createFaultyNetwork(fetch: typeof globalThis.fetch, faults: Faults): SyncNetwork {
  const { random } = faults;
  const faulty: typeof globalThis.fetch = async (input, init) => {
    const dice = faults.areOn ? random() : 1;
    if (dice < LOST_REQUEST) throw new TypeError('The request was lost');
    if (dice < LOST_REQUEST + BUSY) return new Response('', { status: 503 });
    const response = await fetch(input, init);
    if (dice > 1 - LOST_ANSWER && faults.areOn) {
      await response.body?.cancel();
      throw new TypeError('The answer was lost');
    }
    const isSnapshot = typeof input === 'string' && input.includes('/snapshot');
    if (isSnapshot && response.body && faults.areOn && random() < CUT_SNAPSHOT) {
      const body = cut(response.body, Math.floor(random() * 6000));
      return new Response(body, { status: response.status, headers: response.headers });
    }
    return response;
  };
  const network = createHttpNetwork({ baseUrl: '', fetch: faulty });
  return {
    ...network,
    push: deferring(network, faults),
    stream: async (signal) => {
      const streaming = await network.stream(signal);
      return streaming.kind === 'ok'
        ? { kind: 'ok', value: disordered(streaming.value, faults) }
        : streaming;
    },
  };
}

/** Changes that can't be decided now; some of them are on their way in another request, which comes late. */
function deferring(network: SyncNetwork, faults: Faults): SyncNetwork['push'] {
  const { random } = faults;
  let late: PushRequest | undefined;
  return async (request, signal) => {
    if (late && random() < 0.5) {
      await network.push(late, signal);
      late = undefined;
    }
    if (!faults.areOn || random() >= PUT_OFF) return network.push(request, signal);
    const at = Math.floor(random() * request.mutations.length);
    const undecided = request.mutations[at];
    if (!undecided) return network.push(request, signal);
    const mutations = request.mutations.slice(0, at);
    const decided = { kind: 'ok' as const, value: { results: [], lastMid: 0 } };
    const answered = at > 0 ? await network.push({ ...request, mutations }, signal) : decided;
    if (answered.kind !== 'ok') return answered;
    if (random() < 0.5) late = { ...request, mutations: [undecided] };
    const refusal = { code: 'overloaded', message: 'Please try again.', retryAfterMs: 1000 };
    const later = { mid: undecided.mid, status: 'later' as const, ...refusal };
    return {
      kind: 'ok',
      value: { ...answered.value, results: [...answered.value.results, later] },
    };
  };
}

/** A body that ends after so many bytes. */
function cut(body: ReadableStream<Uint8Array>, bytes: number): ReadableStream<Uint8Array> {
  let left = bytes;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        controller.enqueue(chunk.subarray(0, left));
        left -= chunk.length;
        if (left <= 0) controller.terminate();
      },
    }),
  );
}

/** Events of a stream, some of them lost, doubled, or behind the next one. */
async function* disordered(
  events: AsyncIterable<LiveEvent>,
  { random, tally, onEvent }: Faults,
): AsyncGenerator<LiveEvent> {
  let late: LiveEvent | undefined;
  for await (const event of events) {
    const dice = event.kind === 'delta' || event.kind === 'head' ? random() / STRANGE_EVENT : 1;
    onEvent();
    const isDelta = event.kind === 'delta';
    if (dice < 0.33) {
      if (isDelta) tally.lost += 1;
      continue;
    }
    if (dice < 0.66 && !late) {
      late = event;
      continue;
    }
    yield event;
    if (dice < 1) {
      if (isDelta) tally.doubled += 1;
      yield event;
    }
    if (late) yield late;
    late = undefined;
  }
}
