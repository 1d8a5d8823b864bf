/** Long-running work of a worker process. */
export interface Job {
  readonly name: string;
  /** Runs until the signal aborts; then finishes what it has begun and resolves. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
  /** Ends a pause early: there is something to do. */
  wake(): void;
}
