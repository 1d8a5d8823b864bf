import { Pool } from 'undici';
import * as v from 'valibot';
import {
  SIGNATURE_MAX_AGE_SECONDS,
  CapacityAnswer,
  PlaceOrdersAnswer,
  ProgressAnswer,
  PROVIDER_BATCH_MAX,
  SIGNATURE_HEADER,
} from '#shared/contract/provider-protocol.ts';
import { exchange } from '../http/exchange.ts';
import { parseJsonObject } from '../http/json-body.ts';
import type { DeliveryProvider, ProviderOutcome } from './delivery-provider.ts';
import { signMessage } from './signature.ts';

interface ProviderClientOptions {
  /** Base address, a path included, without `/v1`. */
  providerUrl: string;
  secret: string;
  now: () => number;
  timeoutMs?: number;
}

const CONNECTIONS_MAX = 16;
const ANSWER_MAX_BYTES = 1024 * 1024;
/** Answers that say "not now" rather than "not so". */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

interface Call<Answer> {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
  schema: v.GenericSchema<unknown, Answer>;
  signal: AbortSignal | undefined;
}

/** The delivery provider behind its signed HTTP protocol. Never throws. */
export function createProviderClient(
  options: ProviderClientOptions,
): DeliveryProvider & { close(): Promise<void> } {
  const base = new URL(options.providerUrl);
  const pool = new Pool(base.origin, { connections: CONNECTIONS_MAX, allowH2: false });
  const ask = <Answer>(call: Call<Answer>): Promise<ProviderOutcome<Answer>> =>
    askSigned(pool, `${base.pathname.replace(/\/+$/, '')}/v1`, options, call);

  return {
    // The provider refuses older signatures.
    lastArrivalMs: SIGNATURE_MAX_AGE_SECONDS * 1000,
    placeOrders: (orders, signal) =>
      batch(orders, async () => {
        const call = { method: 'POST', path: '/orders', body: { orders }, signal } as const;
        const outcome = await ask({ ...call, schema: PlaceOrdersAnswer });
        return map(outcome, ({ results }) => {
          const byRef = new Map(results.map((result) => [result.ref, result]));
          const placements = orders.flatMap(({ ref }) => byRef.get(ref) ?? []);
          return placements.length === orders.length ? placements : undefined;
        });
      }),
    readProgress: (refs, signal) =>
      batch(refs, async () => {
        const path = `/orders?${refs.map((ref) => `refs=${encodeURIComponent(ref)}`).join('&')}`;
        const outcome = await ask({ method: 'GET', path, schema: ProgressAnswer, signal });
        return map(outcome, onlyOf(refs));
      }),
    cancelOrders: (refs, signal) =>
      batch(refs, async () => {
        const call = { method: 'POST', path: '/orders/cancel', body: { refs }, signal } as const;
        return map(await ask({ ...call, schema: ProgressAnswer }), onlyOf(refs));
      }),
    readCapacity: (signal) =>
      ask({ method: 'GET', path: '/capacity', schema: CapacityAnswer, signal }),
    close: () => pool.destroy(),
  };
}

async function askSigned<Answer>(
  pool: Pool,
  prefix: string,
  { secret, now, timeoutMs = 10_000 }: ProviderClientOptions,
  call: Call<Answer>,
): Promise<ProviderOutcome<Answer>> {
  const { method, signal } = call;
  const path = prefix + call.path;
  const body = call.body === undefined ? '' : JSON.stringify(call.body);
  const answered = await exchange(pool, {
    method,
    path,
    headers: {
      accept: 'application/json',
      [SIGNATURE_HEADER]: signMessage(secret, { method, path, body }, now()),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body }),
    timeoutMs,
    maxBytes: ANSWER_MAX_BYTES,
    signal,
  });
  if (answered.kind === 'failed') return { kind: 'unavailable', reason: answered.reason };
  const { status } = answered;
  if (status >= 400 && status < 500 && !PASSING_STATUSES.has(status)) {
    return { kind: 'rejected', status };
  }
  if (status !== 200) return { kind: 'unavailable', reason: `http_${status}` };
  const parsed = v.safeParse(call.schema, parseJsonObject(answered.body));
  return parsed.success ? { kind: 'answered', answer: parsed.output } : nonsense();
}

/** Nothing to ask needs no call; more than the protocol takes is a request the provider would refuse. */
function batch<Answer>(
  items: readonly unknown[],
  call: () => Promise<ProviderOutcome<Answer[]>>,
): Promise<ProviderOutcome<Answer[]>> {
  if (items.length === 0) return Promise.resolve({ kind: 'answered', answer: [] });
  if (items.length > PROVIDER_BATCH_MAX) return Promise.resolve({ kind: 'rejected', status: 413 });
  return call();
}

/** Turns the answer into the port's; undefined when it doesn't fit what was asked. */
function map<From, To>(
  outcome: ProviderOutcome<From>,
  convert: (answer: From) => To | undefined,
): ProviderOutcome<To> {
  if (outcome.kind !== 'answered') return outcome;
  const answer = convert(outcome.answer);
  return answer === undefined ? nonsense() : { kind: 'answered', answer };
}

/** Keeps the orders that were asked for. */
function onlyOf<Order extends { ref: string }>(refs: string[]) {
  const asked = new Set(refs);
  return ({ orders }: { orders: Order[] }): Order[] => orders.filter(({ ref }) => asked.has(ref));
}

function nonsense(): { kind: 'unreadable' } {
  return { kind: 'unreadable' };
}
