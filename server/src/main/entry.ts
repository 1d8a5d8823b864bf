import { type Config, type Presets, readConfig } from './config/config.ts';
import { StartError } from '#server/kit/start-error.ts';

/** A signal a second time means: now. */
const FORCED_EXIT_CODE = 130;

/**
 * Runs a process entry: hands it the configuration and a signal that SIGTERM and SIGINT abort, so
 * that it can finish what it has begun. What can't start says so in one line and exits with 1.
 */
export async function runEntry(
  main: (config: Config, signal: AbortSignal) => Promise<void>,
  presets?: Presets,
): Promise<void> {
  // Whatever is written is nobody's but this user's.
  process.umask(0o077);
  const stop = new AbortController();
  const onSignal = (): void => {
    if (stop.signal.aborted) process.exit(FORCED_EXIT_CODE);
    stop.abort();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  try {
    await main(readConfig(process.env, presets), stop.signal);
    process.exitCode = 0;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
