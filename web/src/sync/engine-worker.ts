/** A worker can't be had here, or its code could not be loaded. */
export class NoWorkerError extends Error {
  override name = 'NoWorkerError';
}

/** Opens a worker with the engine's code, which waits to be started. @throws NoWorkerError */
export function openEngineWorker(): Worker {
  if (!('Worker' in globalThis)) throw new NoWorkerError('There are no workers');
  try {
    return new Worker(new URL('./sync-worker.ts', import.meta.url), { type: 'module' });
  } catch (error) {
    throw new NoWorkerError(String(error));
  }
}

/** A worker that is opened before it is known for whom, so that its code is there by then. */
export interface SpareWorker {
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
