import { useEffect, useState } from 'react';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { useServices } from '#web/platform/services.ts';
import { runningPlan } from '../account-status.ts';
import type { ComparedAccount, ComparedClient } from './diff-csv.ts';
import { type ReadFile, readAccounts } from './read-accounts.ts';
import type { ToReader } from './read-worker.ts';

/** A file beyond it is none that a person has edited. */
const BYTES_LIMIT = 64 * 1024 * 1024;
const TOO_LARGE = 'This file is larger than 64 MB. Please upload a smaller one.';
const NOT_READ = 'This file couldn’t be read. Please choose it again.';
/** So many accounts are handed over at a time: a hundred thousand at once stop the page. */
const HANDED_OVER = 5000;

type Reading =
  | { kind: 'reading' }
  | { kind: 'read'; read: ReadFile }
  | { kind: 'failed'; problem: string };

/** What a file is compared with. */
interface Known {
  accounts: readonly ConnectedAccount[];
  clients: readonly ComparedClient[] | undefined;
}

/** Reads a file beside the page and compares it with the accounts and clients as they were then. */
export function useReadFile(file: File, known: Known): Reading {
  const [reading, setReading] = useState<Reading>({ kind: 'reading' });
  const { platform } = useServices();
  const [compared] = useState(known);
  useEffect(() => {
    const stop = new AbortController();
    const readHere = async (error: unknown): Promise<ReadFile> => {
      // Offline its worker can’t be fetched.
      const isFile = error instanceof RangeError;
      if (isFile || stop.signal.aborted || platform.isOnline()) throw error;
      return readWithin(new Uint8Array(await file.arrayBuffer()), compared);
    };
    readBeside(file, compared, stop.signal)
      .catch(readHere)
      .then(
        (read) => setReading({ kind: 'read', read }),
        (error: unknown) => {
          if (stop.signal.aborted) return;
          const problem = error instanceof RangeError ? TOO_LARGE : NOT_READ;
          setReading({ kind: 'failed', problem });
        },
      );
    return () => stop.abort();
  }, [file, compared, platform]);
  return reading;
}

const readWithin = (bytes: Uint8Array, { accounts, clients }: Known): ReadFile =>
  readAccounts(bytes, accounts.map(comparedOf), clients);

/** @throws RangeError it is too large */
async function readBeside(file: File, known: Known, signal: AbortSignal): Promise<ReadFile> {
  const { accounts, clients } = known;
  if (file.size > BYTES_LIMIT) throw new RangeError(TOO_LARGE);
  const bytes = new Uint8Array(await file.arrayBuffer());
  signal.throwIfAborted();
  if (!('Worker' in globalThis)) return readWithin(bytes, known);
  const worker = new Worker(new URL('./read-worker.ts', import.meta.url), { type: 'module' });
  const tell = (told: ToReader, transfer: Transferable[] = []): void =>
    worker.postMessage(told, transfer);
  try {
    const answer = new Promise<ReadFile>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('Closed meanwhile')));
      worker.addEventListener('message', ({ data }: MessageEvent<ReadFile>) => resolve(data));
      worker.addEventListener('error', (event) => {
        event.preventDefault();
        reject(new Error(event.message));
      });
    });
    const handOver = async (): Promise<void> => {
      for (let from = 0; from < accounts.length && !signal.aborted; from += HANDED_OVER) {
        const some = accounts.slice(from, from + HANDED_OVER).map(comparedOf);
        tell({ kind: 'accounts', accounts: some });
        await nextTask();
      }
      tell({ kind: 'read', bytes, clients }, [bytes.buffer]);
    };
    const [read] = await Promise.all([answer, handOver()]);
    return read;
  } finally {
    worker.terminate();
  }
}

const comparedOf = (account: ConnectedAccount): ComparedAccount => ({
  igUsername: account.igUsername,
  igId: account.igId,
  likes: runningPlan(account)?.likes ?? null,
  tags: account.tags,
  client: account.client ?? null,
});

/** The page does meanwhile what else there is. */
const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
