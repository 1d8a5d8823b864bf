import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { backoffMs } from '../async/backoff.ts';
import {
  ChangeListeners,
  CHANGES_CHANNEL,
  type Changes,
  readPayload,
  type Touched,
  type TouchedScope,
  writePayload,
} from './changes.ts';

/**
 * Hints wait this long for more of them. A NOTIFY inside the writing transaction would serialise all
 * commits (measured: 7,165 to 2,712 a second), so it goes out afterwards and for many at once.
 */
const COALESCE_MS = 15;
const BACKOFF = { firstMs: 500, longestMs: 30_000 };

interface Wiring {
  url: string;
  pool: pg.Pool;
  onError: (error: Error) => void;
}

/** Hints between the processes on one Postgres. */
interface PostgresChanges extends Changes {
  /** Tells this process at once and the others soon. */
  tell(touched: readonly TouchedScope[]): void;
  /** Sends what is still waiting and lets go of the connection. */
  close(): Promise<void>;
}

/** One connection listens per process, from the first listener on. */
export function createPostgresChanges(wiring: Wiring): PostgresChanges {
  const stop = new AbortController();
  let ended: Promise<void> | undefined;
  const listeners = new ChangeListeners(() => {
    ended ??= listenOn(wiring, (touched) => listeners.tell(touched), stop.signal);
  });
  const queue = new NotifyQueue(wiring);
  return {
    listen: (listener) => listeners.listen(listener),
    tell: (touched) => {
      listeners.tell(touched);
      queue.add(touched);
    },
    close: async () => {
      stop.abort();
      await queue.send();
      await ended;
    },
  };
}

/** Collects hints and sends them as one notification. */
class NotifyQueue {
  readonly #wiring: Wiring;
  readonly #waiting = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(wiring: Wiring) {
    this.#wiring = wiring;
  }

  add(touched: readonly TouchedScope[]): void {
    for (const { scope, v } of touched) {
      this.#waiting.set(scope, Math.max(v, this.#waiting.get(scope) ?? 0));
    }
    this.#timer ??= setTimeout(() => void this.send(), COALESCE_MS);
  }

  async send(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.size === 0) return;
    const payload = writePayload(Array.from(this.#waiting, ([scope, v]) => ({ scope, v })));
    this.#waiting.clear();
    // Lost is fine: the others look for themselves every few seconds.
    await this.#wiring.pool
      .query('select pg_notify($1, $2)', [CHANGES_CHANNEL, payload])
      .catch((error: unknown) => this.#wiring.onError(asError(error)));
  }
}

/** Listens until the signal aborts, again and again when the connection breaks. */
async function listenOn(
  { url, onError }: Wiring,
  tell: (touched: Touched) => void,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const client = new pg.Client({ connectionString: url });
    try {
      const broken = Promise.withResolvers<void>();
      client.on('error', broken.reject);
      client.on('end', () => broken.resolve());
      signal.addEventListener('abort', () => broken.resolve(), { once: true });
      client.on('notification', ({ payload }) => tell(readPayload(payload)));
      await client.connect();
      await client.query(`listen ${CHANGES_CHANNEL}`);
      failures = 0;
      // What was told while nobody listened is lost.
      tell('unknown');
      await broken.promise;
    } catch (error) {
      onError(asError(error));
    }
    await client.end().catch(() => undefined);
    failures += 1;
    await delay(backoffMs(failures, BACKOFF), undefined, { signal }).catch(() => undefined);
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
