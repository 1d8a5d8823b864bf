import { Worker } from 'node:worker_threads';
import { ApiError } from '../api-error.ts';
import { Semaphore } from '../async/semaphore.ts';

const WORKER = new URL('pdf-worker.ts', import.meta.url);
/** Five times what the largest report takes; beyond it the thread ends, and the process goes on. */
const HEAP_MB = 256;
/** Half a minute of large reports: beyond it somebody would wait longer than for asking again. */
export const WAITING_LIMIT = 20;
/** Of one who asks, the one that is drawn included: nobody fills the queue alone. */
export const SHARE = 5;
const RETRY_MS = 10_000;
/** Each takes a core while it draws. */
const drawing = new Semaphore({ concurrency: 1, waiting: WAITING_LIMIT }, tooMany);

function tooMany(): ApiError {
  const message = 'Many reports are being made right now. Please try again in a moment.';
  return new ApiError('overloaded', message, { retryAfterMs: RETRY_MS });
}

const asked = new Map<string, number>();

/**
 * Draws a PDF in a thread of its own. `drawer`: a module with `draw(input)`; what it is given is copied there.
 * @param asker for whom; each has a share of those that wait
 * @throws ApiError `overloaded` when too many are waiting
 */
export async function drawInThread(
  drawer: URL,
  input: unknown,
  asker: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const before = asked.get(asker) ?? 0;
  if (before >= SHARE) throw tooMany();
  asked.set(asker, before + 1);
  try {
    return await draw(drawer, input);
  } finally {
    const left = (asked.get(asker) ?? 1) - 1;
    if (left === 0) asked.delete(asker);
    else asked.set(asker, left);
  }
}

function draw(drawer: URL, input: unknown): Promise<Uint8Array<ArrayBuffer>> {
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
