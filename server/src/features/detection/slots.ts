/** At most so many things at a time; whoever wants another waits, first come first served. */
export class Slots {
  #free: number;
  readonly #size: number;
  readonly #waiting: Array<() => void> = [];
  readonly #emptied: Array<() => void> = [];

  constructor(size: number) {
    this.#size = size;
    this.#free = size;
  }

  take(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next) return next();
    this.#free += 1;
    if (this.#free === this.#size) for (const tell of this.#emptied.splice(0)) tell();
    return undefined;
  }

  /** Resolves when none is taken. */
  empty(): Promise<void> {
    if (this.#free === this.#size) return Promise.resolve();
    return new Promise((resolve) => this.#emptied.push(resolve));
  }
}
