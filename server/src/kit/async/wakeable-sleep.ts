import type { Clock } from '../deps.ts';

/** A sleep that `wake` cuts short; a wake before the sleep counts for the next one. */
export class WakeableSleep {
  readonly #clock: Clock;
  #isWoken = false;
  #waker: AbortController | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  wake(): void {
    this.#isWoken = true;
    this.#waker?.abort();
  }

  /** Ends after the time, when woken, or when the signal aborts; never rejects. */
  async sleep(delayMs: number, signal: AbortSignal): Promise<void> {
    if (!this.#isWoken) {
      this.#waker = new AbortController();
      await this.#clock.sleep(delayMs, AbortSignal.any([signal, this.#waker.signal]));
    }
    this.#isWoken = false;
  }
}
