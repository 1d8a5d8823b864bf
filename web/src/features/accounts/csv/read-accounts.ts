import { type ComparedAccount, type CsvDiff, diffCsv } from './diff-csv.ts';
import { FILE_HEADS } from './file-columns.ts';
import { parseCsv } from './parse-csv.ts';

/** How the bytes of a file were read. */
type Encoding = 'UTF-8' | 'UTF-16' | 'Windows-1252';

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

/** The text of a file: by its byte order mark, else UTF-8, else as Windows wrote it before. */
export function decodeText(bytes: Uint8Array): { text: string; encoding: Encoding } {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return utf16(bytes, 'utf-16le');
  if (first === 0xfe && second === 0xff) return utf16(bytes, 'utf-16be');
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' };
  }
}

const utf16 = (bytes: Uint8Array, label: string): { text: string; encoding: Encoding } => ({
  text: new TextDecoder(label).decode(bytes),
  encoding: 'UTF-16',
});
