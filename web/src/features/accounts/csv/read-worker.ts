import type { ComparedAccount } from './diff-csv.ts';
import { type ReadFile, readAccounts } from './read-accounts.ts';

// Reads a file of a hundred thousand lines, so that the page goes on meanwhile.

export interface ToReader {
  bytes: Uint8Array;
  accounts: readonly ComparedAccount[];
}

globalThis.addEventListener('message', ({ data }: MessageEvent<ToReader>) => {
  const read: ReadFile = readAccounts(data.bytes, data.accounts);
  globalThis.postMessage(read, { transfer: [] });
});
