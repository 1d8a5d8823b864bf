import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import type { Scope } from '#shared/sync/scope.ts';

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
export class StreamOutbox {
  readonly #mostBytes: number;
  #waiting: Waiting[] = [];
  #bytes = 0;
  #isEnded = false;
  #arrived: (() => void) | undefined;

  constructor(mostBytes: number = SYNC_LIMITS.streamQueueBytes) {
    this.#mostBytes = mostBytes;
  }

  /** A change of a scope up to a version, as the text of its event. */
  putChange(scope: Scope, v: number, text: string): void {
    this.#put(text, { scope, v });
    if (this.#bytes > this.#mostBytes) this.#shrink();
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
    this.#arrived?.();
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  async *texts(): AsyncGenerator<string> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next) {
        this.#bytes -= next.bytes;
        yield next.text;
      } else if (this.#isEnded) return;
      else await this.#arrival();
    }
  }

  #put(text: string, change?: Waiting['change']): void {
    if (this.#isEnded) return;
    const bytes = Buffer.byteLength(text);
    this.#waiting.push({ text, bytes, ...(change && { change }) });
    this.#bytes += bytes;
    this.#arrived?.();
  }

  #shrink(): void {
    const heads = new Map<Scope, number>();
    for (const { change } of this.#waiting) if (change) heads.set(change.scope, change.v);
    this.#waiting = this.#waiting.filter(({ change }) => !change);
    this.#bytes = this.#waiting.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const [scope, v] of heads) this.#put(streamEvent('head', { scope, v }), { scope, v });
  }

  #arrival(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#arrived = resolve;
    return promise;
  }
}
