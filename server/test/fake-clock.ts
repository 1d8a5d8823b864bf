import type { Clock } from '#server/kit/deps.ts';

interface Sleeper {
  wakeAt: number;
  wake: () => void;
}

/** A clock that stands still until the test moves it; sleepers wake in the order of their time. */
export class FakeClock implements Clock {
  #now: number;
  #sleepers: Sleeper[] = [];
  #onSleep = Promise.withResolvers<void>();

  constructor(startAt = '2026-11-20T12:00:00Z') {
    this.#now = Date.parse(startAt);
  }

  now(): number {
    return this.#now;
  }

  set(instant: string): void {
    this.#now = Date.parse(instant);
    this.#wakeDue();
  }

  advance(byMs: number): void {
    this.#now += byMs;
    this.#wakeDue();
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const sleeper = { wakeAt: this.#now + delayMs, wake: resolve };
      this.#sleepers.push(sleeper);
      this.#onSleep.resolve();
      this.#onSleep = Promise.withResolvers();
      signal?.addEventListener('abort', () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        resolve();
      });
    });
  }

  isSleptOn(): boolean {
    return this.#sleepers.length > 0;
  }

  /** Resolves once somebody sleeps: moved before that, the clock wakes nobody. */
  async untilAsleep(): Promise<void> {
    while (!this.isSleptOn()) await this.#onSleep.promise;
  }

  #wakeDue(): void {
    const due = this.#sleepers
      .filter(({ wakeAt }) => wakeAt <= this.#now)
      .sort((a, b) => a.wakeAt - b.wakeAt);
    this.#sleepers = this.#sleepers.filter(({ wakeAt }) => wakeAt > this.#now);
    for (const { wake } of due) wake();
  }
}
