import type { Clock } from '../deps.ts';
import type { Log } from '../log.ts';
import type { Job } from './job.ts';

const BACKOFF_FIRST_MS = 500;
const BACKOFF_MOST_MS = 30_000;

/** What one round of a job found. */
export type Round =
  /** There may be more at once. */
  | 'again'
  /** Nothing due now. */
  | 'idle'
  /** Nothing due before that many milliseconds. */
  | { idleMs: number };

interface LoopOptions {
  name: string;
  clock: Clock;
  log: Log;
  /** Pause after an idle round. */
  idleMs: number;
  round: (signal: AbortSignal) => Promise<Round>;
}

/** Repeats rounds; pauses when idle, backs off (0.5 s doubling to 30 s) when a round throws. */
export function createLoop({ name, clock, log, idleMs, round }: LoopOptions): Job {
  const pause = new Pause(clock);

  async function run(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      try {
        const outcome = await round(signal);
        failures = 0;
        if (outcome === 'again') continue;
        await pause.take(outcome === 'idle' ? idleMs : outcome.idleMs, signal);
      } catch (error) {
        log.error('job round failed', { job: name, error });
        await pause.take(Math.min(BACKOFF_MOST_MS, BACKOFF_FIRST_MS * 2 ** failures), signal);
        failures += 1;
      }
    }
  }

  return { name, run, wake: () => pause.end() };
}

/** A sleep that `end` cuts short; an `end` before the sleep counts for the next one. */
class Pause {
  readonly #clock: Clock;
  #waker: AbortController | undefined;
  #isEnded = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async take(delayMs: number, signal: AbortSignal): Promise<void> {
    if (this.#isEnded) {
      this.#isEnded = false;
      return;
    }
    this.#waker = new AbortController();
    await this.#clock.sleep(delayMs, AbortSignal.any([signal, this.#waker.signal]));
    this.#waker = undefined;
    this.#isEnded = false;
  }

  end(): void {
    this.#isEnded = true;
    this.#waker?.abort();
  }
}
