import { Stripe } from 'stripe';
import { Pool } from 'undici';
import { exchange } from '../http/exchange.ts';
import { parseJsonObject } from '../http/json-body.ts';

export interface StripeOptions {
  /** Where Stripe's `/v1` hangs: its own address, or the sandbox's with a path. */
  stripeUrl: string;
  secretKey: string;
  timeoutMs?: number;
}

/** The stripe package over our transport: it repeats no call by itself. `withKey`: the same with another key. */
export function openStripe({ stripeUrl, secretKey, timeoutMs = 20_000 }: StripeOptions): {
  stripe: Stripe;
  withKey: (key: string) => Stripe;
  close: () => Promise<void>;
} {
  const http = createStripeHttp(new URL(stripeUrl), timeoutMs);
  const withKey = (key: string): Stripe =>
    new Stripe(key, {
      httpClient: http.httpClient,
      timeout: timeoutMs,
      maxNetworkRetries: 0,
      telemetry: false,
    });
  return { stripe: withKey(secretKey), withKey, close: () => http.close() };
}

const CONNECTIONS_MAX = 16;
const ANSWER_MAX_BYTES = 4 * 1024 * 1024;

interface StripeHttp {
  httpClient: Stripe.HttpClient;
  close(): Promise<void>;
}

/**
 * The transport under the stripe package. Its own one repeats a call after a lost connection whatever it
 * is told, never ends while bytes trickle in, can't reach an address with a path, and lets the process
 * crash on a body such as `5`.
 */
function createStripeHttp(stripeUrl: URL, timeoutMs: number): StripeHttp {
  const pool = new Pool(stripeUrl.origin, { connections: CONNECTIONS_MAX, allowH2: false });
  const prefix = stripeUrl.pathname.replace(/\/+$/, '');
  const httpClient: Stripe.HttpClient = {
    getClientName: () => 'ovation',
    async makeRequest(_host, _port, path, method, headers, requestData) {
      const answer = await exchange(pool, {
        method: knownMethod(method),
        path: prefix + path,
        headers: toHeaders(headers),
        ...(requestData && { body: requestData }),
        timeoutMs,
        maxBytes: ANSWER_MAX_BYTES,
      });
      if (answer.kind === 'failed') throw new TransportError(answer.reason);
      return {
        getStatusCode: () => answer.status,
        getHeaders: () => toHeaders(answer.headers),
        getRawResponse: () => ({}),
        toStream: () => undefined,
        async toJSON() {
          const body = parseJsonObject(answer.body);
          if (!body) throw new TransportError('not_json');
          return Promise.resolve(body);
        },
      };
    },
  };
  return { httpClient, close: () => pool.destroy() };
}

class TransportError extends Error {
  override readonly name = 'TransportError';
}

/** @throws when the package begins to use another one, which must not go out as something else */
function knownMethod(method: string): 'GET' | 'POST' | 'DELETE' {
  if (method === 'GET' || method === 'POST' || method === 'DELETE') return method;
  throw new Error(`The gateway is not asked with ${method}.`);
}

/** Lengths are left to the connection, which knows the bytes. */
function toHeaders(headers: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name, value]) => value !== undefined && name.toLowerCase() !== 'content-length')
      .map(([name, value]) => [name, String(value)]),
  );
}
