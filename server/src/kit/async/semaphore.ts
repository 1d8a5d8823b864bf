import type { ApiError } from '../api-error.ts';

/** Who is let in first; each has a queue as long. */
export type Place = 'first' | 'last';

/**
 * Lets `concurrency` pieces of work run, queues `waiting` in order of arrival, and refuses the rest at once.
 * Work with the place `first` goes before all other work that waits.
 */
export class Semaphore {
  readonly #concurrency: number;
  readonly #waiting: number;
  readonly #refusal: (() => ApiError) | undefined;
  readonly #queues: Record<Place, Array<() => void>> = { first: [], last: [] };
  readonly #whenIdle: Array<() => void> = [];
  #free: number;

  /** Without limits to `waiting` nothing is refused. */
  constructor(
    { concurrency, waiting = Infinity }: { concurrency: number; waiting?: number },
    refusal?: () => ApiError,
  ) {
    this.#concurrency = concurrency;
    this.#free = concurrency;
    this.#waiting = waiting;
    this.#refusal = refusal;
  }

  /** @throws ApiError the refusal, when too many wait */
  async run<T>(work: () => Promise<T>, place: Place = 'last'): Promise<T> {
    await this.acquire(place);
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  /** Resolves once the caller may work; it must `release` then. @throws ApiError as `run` */
  async acquire(place: Place = 'last'): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const queue = this.#queues[place];
    if (this.#refusal && queue.length >= this.#waiting) throw this.#refusal();
    await new Promise<void>((resolve) => {
      queue.push(resolve);
    });
  }

  /** The place goes straight to the next in the queue, so a newcomer can't take it. */
  release(): void {
    const next = this.#queues.first.shift() ?? this.#queues.last.shift();
    if (next) return next();
    this.#free += 1;
    if (this.#free === this.#concurrency) for (const tell of this.#whenIdle.splice(0)) tell();
    return undefined;
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    if (this.#free === this.#concurrency) return;
    await new Promise<void>((resolve) => {
      this.#whenIdle.push(resolve);
    });
  }
}
