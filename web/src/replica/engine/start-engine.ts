import type { FromEngine, ToEngine, EngineEnd, EngineHost, EngineSettings } from './run-engine.ts';

/** A worker can't be had here, or its code could not be loaded. */
export class NoWorkerError extends Error {
  override name = 'NoWorkerError';
}

/** Opens a worker with the engine's code, which waits to be started. @throws NoWorkerError */
function openEngineWorker(): Worker {
  if (!('Worker' in globalThis)) throw new NoWorkerError('There are no workers');
  try {
    return new Worker(new URL('./sync-worker.ts', import.meta.url), { type: 'module' });
  } catch (error) {
    throw new NoWorkerError(String(error));
  }
}

/** A worker that is opened before it is known for whom, so that its code is there by then. */
interface SpareWorker {
  /** Opens one unless there is one; when that fails, whoever opens the next is told why. */
  open: () => void;
  /** Hands it over, once. */
  take: () => Worker | undefined;
}

export function createSpareWorker(open: () => Worker = openEngineWorker): SpareWorker {
  let spare: Worker | undefined;
  return {
    open: () => {
      if (spare) return;
      let worker: Worker;
      try {
        worker = open();
      } catch (error) {
        if (error instanceof NoWorkerError) return;
        throw error;
      }
      spare = worker;
      worker.addEventListener('error', (event) => {
        event.preventDefault();
        if (spare === worker) spare = undefined;
      });
    },
    take: () => {
      const taken = spare;
      spare = undefined;
      return taken;
    },
  };
}

/**
 * Runs the engine until the signal aborts: in a worker (the given one, if it was opened before), or in
 * the page where that can't be.
 */
export async function startEngine(
  settings: EngineSettings,
  host: EngineHost,
  signal: AbortSignal,
  opened?: Worker,
): Promise<EngineEnd> {
  try {
    return await runInWorker(opened ?? openEngineWorker(), settings, host, signal);
  } catch (error) {
    if (!(error instanceof NoWorkerError)) throw error;
    host.report('Sync runs in the page', error.message);
  }
  const { runEngine } = await import('./run-engine.ts');
  return runEngine(settings, host, signal);
}

/** A worker that is told to stop has so long to close its database. */
const STOP_MS = 1000;

async function runInWorker(
  worker: Worker,
  settings: EngineSettings,
  host: EngineHost,
  signal: AbortSignal,
): Promise<EngineEnd> {
  const tell = (message: ToEngine): void => worker.postMessage(message, []);
  const stopCommands = host.onCommand((command) => tell({ kind: 'command', command }));
  try {
    return await new Promise<EngineEnd>((resolve, reject) => {
      let hasSpoken = false;
      const hear = ({ data }: MessageEvent<FromEngine>): void => {
        hasSpoken = true;
        if (data.kind === 'status') host.onStatus(data.status);
        else if (data.kind === 'report') host.report(data.event, data.detail);
        else if (data.kind === 'ended') resolve(data.end);
        else reject(new Error(data.detail));
      };
      worker.addEventListener('message', hear);
      worker.addEventListener('error', (event) => {
        event.preventDefault();
        reject(hasSpoken ? new Error(event.message) : new NoWorkerError(event.message));
      });
      const stop = (): void => {
        // Nothing is open yet, and nothing must be any more: the replica may be about to be wiped.
        if (!hasSpoken) return resolve('stopped');
        tell({ kind: 'stop' });
        setTimeout(() => resolve('stopped'), STOP_MS);
      };
      if (signal.aborted) return stop();
      signal.addEventListener('abort', stop, { once: true });
      return tell({ kind: 'start', settings });
    });
  } finally {
    stopCommands();
    worker.terminate();
  }
}
