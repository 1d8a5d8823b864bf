import { Worker } from 'node:worker_threads';
import { Semaphore } from '../async/semaphore.ts';

const WORKER = new URL('pdf-worker.ts', import.meta.url);
/** Five times what the largest report takes; beyond it the thread ends, and the process goes on. */
const HEAP_MB = 256;
/** Each takes a core while it draws. */
const drawing = new Semaphore({ concurrency: 1 });

/**
 * Draws a PDF in a thread of its own. `drawer`: a module with `draw(input)`; what it is given is copied there.
 */
export function drawInThread(drawer: URL, input: unknown): Promise<Uint8Array<ArrayBuffer>> {
  return drawing.run(
    () =>
      new Promise((resolve, reject) => {
        const worker = new Worker(WORKER, {
          workerData: { drawer: drawer.href, input },
          resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
          // Not those of the process, which starts with more than a drawer needs.
          execArgv: [],
        });
        worker.on('message', resolve);
        worker.on('error', reject);
        worker.on('exit', (code) => reject(new Error(`The thread ended without a PDF (${code}).`)));
      }),
  );
}
