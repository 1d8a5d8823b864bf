import type { ProviderProgress } from '#shared/contract/provider-protocol.ts';
import { PROVIDER_BATCH_MAX, SIGNATURE_HEADER } from '#shared/contract/provider-protocol.ts';
import { signRequest } from './signature.ts';

interface EventSenderOptions {
  /** Events go to `{url}/provider/events`; empty sends none. */
  url: string;
  secret: string;
  now: () => number;
  random: () => number;
  /** Breaks off what is being sent. */
  signal?: AbortSignal;
}

/**
 * Tells the product about progress, as a network one must not trust would: batched, shuffled, a part of
 * it twice and late. In memory only; whoever was away asks with `GET /v1/orders`.
 */
export interface EventSender {
  add(progress: readonly ProviderProgress[]): void;
  /** Sends one batch when there is something to send and the receiver isn't being spared. */
  flush(): Promise<void>;
}

/** Part of the events that is sent a second time, this much later. */
const REPEATED = 0.1;
const REPEAT_AFTER_MS = { min: 1500, max: 6000 };
const RETRY_MS = { first: 1000, max: 30_000 };
const TIMEOUT_MS = 5000;
/** Orders remembered for a receiver that is away; the oldest are forgotten first. */
const MAX_WAITING = 20_000;

export function createEventSender(options: EventSenderOptions): EventSender {
  const waiting = new Map<string, ProviderProgress>();
  let late: { progress: ProviderProgress; dueAt: number }[] = [];
  let retryMs: number = RETRY_MS.first;
  let nextTryAt = 0;
  let isSending = false;

  const add = (progress: readonly ProviderProgress[]): void => {
    if (options.url === '') return;
    for (const each of progress) {
      const known = waiting.get(each.ref);
      if (!known || known.seq < each.seq) waiting.set(each.ref, each);
    }
    for (const ref of waiting.keys()) {
      if (waiting.size <= MAX_WAITING) break;
      waiting.delete(ref);
    }
  };
  const takeBatch = (nowMs: number): ProviderProgress[] => {
    const repeats = late.filter(({ dueAt }) => dueAt <= nowMs).slice(0, PROVIDER_BATCH_MAX / 2);
    late = late.filter((each) => !repeats.includes(each));
    const fresh = [...waiting.values()].slice(0, PROVIDER_BATCH_MAX - repeats.length);
    for (const { ref } of fresh) waiting.delete(ref);
    for (const progress of fresh) {
      if (late.length >= MAX_WAITING || options.random() >= REPEATED) continue;
      const { min, max } = REPEAT_AFTER_MS;
      late.push({ progress, dueAt: nowMs + min + options.random() * (max - min) });
    }
    return shuffled([...repeats.map(({ progress }) => progress), ...fresh], options.random);
  };

  return {
    add,
    async flush() {
      const nowMs = options.now();
      if (isSending || nowMs < nextTryAt) return;
      const batch = takeBatch(nowMs);
      if (batch.length === 0) return;
      isSending = true;
      const isReceived = await send(options, batch);
      isSending = false;
      if (isReceived) {
        retryMs = RETRY_MS.first;
        return;
      }
      add(batch);
      nextTryAt = nowMs + retryMs;
      retryMs = Math.min(retryMs * 2, RETRY_MS.max);
    },
  };
}

/** False when it should be sent again: no answer, or one of a receiver in trouble. */
async function send(options: EventSenderOptions, orders: ProviderProgress[]): Promise<boolean> {
  const url = new URL(`${options.url}/provider/events`);
  const body = JSON.stringify({ orders });
  const request = { method: 'POST', path: `${url.pathname}${url.search}`, body };
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [SIGNATURE_HEADER]: signRequest(options.secret, options.now(), request),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([
        AbortSignal.timeout(TIMEOUT_MS),
        ...(options.signal ? [options.signal] : []),
      ]),
    });
    await answer.body?.cancel();
    return answer.status < 500 && answer.status !== 429;
  } catch {
    return false;
  }
}

function shuffled<T>(items: T[], random: () => number): T[] {
  for (let at = items.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    const held = items[at];
    const swap = items[other];
    if (held === undefined || swap === undefined) continue;
    items[at] = swap;
    items[other] = held;
  }
  return items;
}
