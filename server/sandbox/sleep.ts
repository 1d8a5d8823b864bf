import { setTimeout as delay } from 'node:timers/promises';

/** Waits by the machine's clock, without keeping the process; ends early when aborted. */
export async function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(delayMs, undefined, { signal, ref: false });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
