import { backoffMs } from '../async/backoff.ts';
import { WakeableSleep } from '../async/wakeable-sleep.ts';
import type { Clock } from '../deps.ts';
import type { Log } from '../log.ts';
import type { Job } from './job.ts';

const BACKOFF = { firstMs: 500, longestMs: 30_000 };

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
  /** Pause after an idle round. */
  idleMs: number;
  round: (signal: AbortSignal) => Promise<Round>;
}

/** Repeats rounds; pauses when idle, backs off (0.5 s doubling to 30 s) when a round throws. */
export function createLoop(
  { clock, log }: { clock: Clock; log: Log },
  { name, idleMs, round }: LoopOptions,
): Job {
  const pause = new WakeableSleep(clock);

  async function run(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      try {
        const outcome = await round(signal);
        failures = 0;
        if (outcome === 'again') continue;
        await pause.sleep(outcome === 'idle' ? idleMs : outcome.idleMs, signal);
      } catch (error) {
        log.error('job round failed', { job: name, error });
        failures += 1;
        await pause.sleep(backoffMs(failures, BACKOFF), signal);
      }
    }
  }

  return { name, run, wake: () => pause.wake() };
}
