import type { ComparedAccount, ComparedClient } from './diff-csv.ts';
import { type ReadFile, readAccounts } from './read-accounts.ts';

// Reads a file of a hundred thousand lines, so that the page goes on meanwhile.

export type ToReader =
  /** Some of the accounts that it is compared with; those of all such messages count. */
  | { kind: 'accounts'; accounts: readonly ComparedAccount[] }
  | { kind: 'read'; bytes: Uint8Array; clients: readonly ComparedClient[] | undefined };

const accounts: ComparedAccount[] = [];

globalThis.addEventListener('message', ({ data: told }: MessageEvent<ToReader>) => {
  if (told.kind === 'accounts') {
    for (const account of told.accounts) accounts.push(account);
    return;
  }
  const read: ReadFile = readAccounts(told.bytes, accounts, told.clients);
  globalThis.postMessage(read, { transfer: read.faultFile ? [read.faultFile.buffer] : [] });
});
