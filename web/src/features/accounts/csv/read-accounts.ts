import { decodeText, type Encoding } from './decode-text.ts';
import { type ComparedAccount, type CsvDiff, diffCsv } from './diff-csv.ts';
import { FILE_HEADS } from './file-columns.ts';
import { parseCsv } from './parse-csv.ts';

/** A file as it was understood, and what it asks for. */
export interface ReadFile {
  encoding: Encoding;
  delimiter: string;
  /** Blank lines, left out. */
  empty: number;
  diff: CsvDiff;
}

export function readAccounts(bytes: Uint8Array, accounts: readonly ComparedAccount[]): ReadFile {
  const { text, encoding } = decodeText(bytes);
  const table = parseCsv(text, Object.values(FILE_HEADS));
  const { delimiter, empty } = table;
  return { encoding, delimiter, empty, diff: diffCsv(table, accounts) };
}
