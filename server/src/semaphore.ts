import type { ApiError } from './api-error.ts';

/** Lets `atOnce` pieces of work run, queues `waiting` in order of arrival, and refuses the rest at once. */
export class Semaphore {
  readonly #waiting: number;
  readonly #refusal: () => ApiError;
  readonly #queue: Array<() => void> = [];
  #free: number;

  constructor(limits: { atOnce: number; waiting: number }, refusal: () => ApiError) {
    this.#free = limits.atOnce;
    this.#waiting = limits.waiting;
    this.#refusal = refusal;
  }

  /** @throws ApiError the refusal, when too many wait */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    if (this.#queue.length >= this.#waiting) throw this.#refusal();
    await new Promise<void>((resolve) => {
      this.#queue.push(resolve);
    });
  }

  /** The place goes straight to the next in the queue, so a newcomer can't take it. */
  #leave(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#free += 1;
  }
}
