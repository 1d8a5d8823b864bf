import type { Sleep } from '#web/platform/async.ts';

/** No time passes: only an abort ends the wait. */
export const sleepUntilAbort: Sleep = (_delayMs, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
