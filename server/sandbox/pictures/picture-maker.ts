import { Worker } from 'node:worker_threads';
import type { FileStore } from '../file-store.ts';
import { parseMadeKey } from './scene-key.ts';

/** Makes pictures when they are first asked for, in a thread of its own, and keeps the files. */
export interface PictureMaker {
  /**
   * Path of the file of a key: an upload as it is, a made picture after drawing it if need be.
   * Undefined when there is no such file, or the maker closes meanwhile. @throws when drawing fails
   */
  ensure(key: string): Promise<string | undefined>;
  /** Stops the thread; pictures in work are dropped. */
  close(): Promise<void>;
}

/** What the thread is told, and what it answers. */
export interface DrawRequest {
  key: string;
  path: string;
}
export interface DrawAnswer {
  key: string;
  error?: string;
}

interface Waiting {
  /** Whether the file is there now; false when the thread was stopped before. */
  promise: Promise<boolean>;
  settle(answer: DrawAnswer): void;
  drop(): void;
}

export function createPictureMaker(files: FileStore): PictureMaker {
  const waiting = new Map<string, Waiting>();
  const thread: { worker: Worker | undefined } = { worker: undefined };

  const fail = (message: string): void => {
    thread.worker = undefined;
    for (const [key, each] of waiting) each.settle({ key, error: message });
    waiting.clear();
  };
  const start = (): Worker => {
    const worker = new Worker(new URL('./draw-thread.ts', import.meta.url));
    worker.unref();
    worker.on('message', (answer: DrawAnswer) => {
      waiting.get(answer.key)?.settle(answer);
      waiting.delete(answer.key);
    });
    worker.on('error', (error) => fail(String(error)));
    return worker;
  };
  const draw = (key: string): Promise<boolean> => {
    const known = waiting.get(key);
    if (known) return known.promise;
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const settle = (answer: DrawAnswer): void =>
      answer.error === undefined ? resolve(true) : reject(new Error(answer.error));
    waiting.set(key, { promise, settle, drop: () => resolve(false) });
    thread.worker ??= start();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    thread.worker.postMessage({ key, path: files.path(key) } satisfies DrawRequest);
    return promise;
  };
  return {
    async ensure(key) {
      if (files.has(key)) return files.path(key);
      if (!parseMadeKey(key)) return undefined;
      return (await draw(key)) ? files.path(key) : undefined;
    },
    async close() {
      for (const each of waiting.values()) each.drop();
      waiting.clear();
      await thread.worker?.terminate();
    },
  };
}
