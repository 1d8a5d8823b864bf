import type { ApiError } from './api-error.ts';

/** Who is let in first; each has a queue as long. */
export type Place = 'first' | 'last';

/**
 * Lets `atOnce` pieces of work run, queues `waiting` in order of arrival, and refuses the rest at once. Work
 * with the place `first` goes before all other work that waits.
 */
export class Semaphore {
  readonly #waiting: number;
  readonly #refusal: () => ApiError;
  readonly #queues: Record<Place, Array<() => void>> = { first: [], last: [] };
  #free: number;

  constructor(limits: { atOnce: number; waiting: number }, refusal: () => ApiError) {
    this.#free = limits.atOnce;
    this.#waiting = limits.waiting;
    this.#refusal = refusal;
  }

  /** @throws ApiError the refusal, when too many wait */
  async run<T>(work: () => Promise<T>, place: Place = 'last'): Promise<T> {
    await this.#enter(this.#queues[place]);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #enter(queue: Array<() => void>): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    if (queue.length >= this.#waiting) throw this.#refusal();
    await new Promise<void>((resolve) => {
      queue.push(resolve);
    });
  }

  /** The place goes straight to the next in the queue, so a newcomer can't take it. */
  #leave(): void {
    const next = this.#queues.first.shift() ?? this.#queues.last.shift();
    if (next) next();
    else this.#free += 1;
  }
}
