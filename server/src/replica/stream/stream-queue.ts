import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import type { Scope } from '#shared/contract/scope.ts';
import type { Clock } from '#server/kit/deps.ts';

export function streamEvent(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

interface Waiting {
  text: string;
  bytes: number;
  /** Set for what a pull would bring too. */
  change?: { scope: Scope; v: number };
}

/**
 * What waits to be read by one client. Whoever reads too slowly gets, instead of all the changes, where the
 * scopes stand, and pulls: what waits here never grows beyond the limit.
 */
export class StreamQueue {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #limitBytes: number;
  #waiting: Waiting[] = [];
  #bytes = 0;
  #isEnded = false;
  #unreadSinceMs: number | undefined;
  #arrived: (() => void) | undefined;

  constructor(clock: Pick<Clock, 'now'>, limitBytes: number = SYNC_LIMITS.streamQueueBytes) {
    this.#clock = clock;
    this.#limitBytes = limitBytes;
  }

  /** A change of a scope up to a version, as the text of its event. */
  putChange(scope: Scope, v: number, text: string): void {
    this.#put(text, { scope, v });
    if (this.#bytes > this.#limitBytes) this.#shrink();
  }

  putEvent(name: string, data: object): void {
    this.#put(streamEvent(name, data));
  }

  /** Only for a client that has read everything: whatever else waits says as much. */
  putHeartbeat(): void {
    if (this.#waiting.length === 0) this.#put(': still here\n\n');
  }

  /** Nothing more comes; what waits can still be read. */
  end(): void {
    this.#isEnded = true;
    this.#arrive();
  }

  /** Ends it, and takes back what waits. */
  discard(): void {
    this.#waiting = [];
    this.#bytes = 0;
    this.end();
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** For how many milliseconds something, or the end, has waited without anything being read. */
  get unreadMs(): number {
    return this.#unreadSinceMs === undefined ? 0 : this.#clock.now() - this.#unreadSinceMs;
  }

  /** The next text, once there is one; undefined at the end. For one reader. */
  async next(): Promise<string | undefined> {
    for (;;) {
      const next = this.#waiting.shift();
      this.#unreadSinceMs = this.#waiting.length > 0 ? this.#clock.now() : undefined;
      if (next) {
        this.#bytes -= next.bytes;
        return next.text;
      }
      if (this.#isEnded) return undefined;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#arrived = resolve;
      await promise;
    }
  }

  #put(text: string, change?: Waiting['change']): void {
    if (this.#isEnded) return;
    const bytes = Buffer.byteLength(text);
    this.#waiting.push({ text, bytes, ...(change && { change }) });
    this.#bytes += bytes;
    this.#arrive();
  }

  #arrive(): void {
    this.#unreadSinceMs ??= this.#clock.now();
    this.#arrived?.();
  }

  #shrink(): void {
    const heads = new Map<Scope, number>();
    for (const { change } of this.#waiting) if (change) heads.set(change.scope, change.v);
    this.#waiting = this.#waiting.filter(({ change }) => !change);
    this.#bytes = this.#waiting.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const [scope, v] of heads) this.#put(streamEvent('head', { scope, v }), { scope, v });
  }
}
