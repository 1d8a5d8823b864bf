import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
/** What Node compiled of the product's modules; a start takes half of the time with it. */
export const COMPILED = join(ROOT, 'node_modules/.cache/ovation/compiled');

/** Optimizing and checking all of the embedded database's code takes longer than a short life gains by it. */
export const SHORT_LIVED = ['--liftoff-only', '--wasm-lazy-validation'];

/** A process of the product, started as an operator would start it. */
export interface RunningProcess {
  child: ChildProcess;
  /** What it has written so far, both streams. */
  output(): string;
  /** Resolves with the text once it has been written; rejects when the process ends before. */
  waitFor(text: string | RegExp): Promise<string>;
  /** Ends it kindly and waits until it has ended. */
  stop(): Promise<void>;
  /** Resolves with the exit code once it has ended; null when a signal ended it. */
  ended: Promise<number | null>;
}

export function startProcess(
  entry: string,
  env: Record<string, string>,
  words: readonly string[] = [],
  nodeArguments: readonly string[] = SHORT_LIVED,
): RunningProcess {
  const child = spawn(process.execPath, [...nodeArguments, resolve(ROOT, entry), ...words], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      NODE_COMPILE_CACHE: COMPILED,
      TMPDIR: tmpdir(),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const listeners = new Set<() => void>();
  const onChunk = (chunk: Buffer): void => {
    text += chunk.toString();
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', onChunk);
  child.stderr.on('data', onChunk);
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => resolve(code));
  });

  const waitFor = (wanted: string | RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        const isThere = typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
        if (!isThere) return;
        listeners.delete(check);
        resolve(text);
      };
      listeners.add(check);
      void ended.then(() =>
        reject(new Error(`${entry} ended before it wrote ${String(wanted)}:\n${text}`)),
      );
      check();
    });

  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
  };

  return { child, output: () => text, waitFor, stop, ended };
}
