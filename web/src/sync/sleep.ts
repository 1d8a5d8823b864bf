/** Waits, in milliseconds; an abort ends the wait early, without an error. */
export type Sleep = (delayMs: number, signal: AbortSignal) => Promise<void>;

export const sleep: Sleep = (delayMs, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, delayMs);
    signal.addEventListener('abort', finish);
  });
