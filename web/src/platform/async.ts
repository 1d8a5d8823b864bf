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

/** What the work gives, or `late` when it takes longer than so many milliseconds; the work goes on. */
export async function withinTime<Result, Late>(
  work: Promise<Result>,
  limitMs: number,
  late: Late,
): Promise<Result | Late> {
  const ended = new AbortController();
  try {
    return await Promise.race([work, sleep(limitMs, ended.signal).then(() => late)]);
  } finally {
    ended.abort();
  }
}

/** Who wants to be told; each is told once, in the order of asking. */
export class Listeners<Told> {
  readonly #listeners = new Set<(told: Told) => void>();

  /** Returns how to stop. */
  add(listener: (told: Told) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(told: Told): void {
    for (const listener of this.#listeners) listener(told);
  }
}

/** Does the work soon after it was asked for; what is asked for meanwhile is done once more afterwards. */
export function oneAtATime(
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): () => void {
  let isRunning = false;
  let isDue = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    // So that what is asked for in one go is done together.
    await Promise.resolve();
    isDue = false;
    await work().catch(onError);
    isRunning = false;
    if (isDue) void run();
  };
  return () => {
    isDue = true;
    if (!isRunning) void run();
  };
}
