import type { Deps } from '../../deps.ts';

/** A sleep that ringing cuts short; a ring before the sleep counts for the next one. */
export class Bell {
  #isRung = false;
  #waker: AbortController | undefined;

  ring(): void {
    this.#isRung = true;
    this.#waker?.abort();
  }

  async wait({ clock }: Pick<Deps, 'clock'>, delayMs: number, signal: AbortSignal): Promise<void> {
    if (!this.#isRung) {
      this.#waker = new AbortController();
      await clock.sleep(delayMs, AbortSignal.any([signal, this.#waker.signal]));
    }
    this.#isRung = false;
  }
}
