import { BULK_LIMITS } from '#shared/domain/accounts/bulk.ts';
import { csvOf, UTF8_MARK } from '#shared/domain/accounts/csv.ts';
import {
  type ComparedAccount,
  type ComparedClient,
  type CsvDiff,
  type CsvFault,
  diffCsv,
  rowsOfThese,
} from './diff-csv.ts';
import { FILE_HEADS } from './file-columns.ts';
import { type CsvTable, headKey, parseCsv } from './parse-csv.ts';

const SHOWN_FAULTS = 20;

/** How the bytes of a file were read. */
type Encoding = 'UTF-8' | 'UTF-16' | 'Windows-1252';

/**
 * A file as it was understood, and what it asks for. It has what is shown and no more: a hundred thousand faults, handed
 * from a worker to the page, would stop the page.
 */
export interface ReadFile extends Pick<
  CsvDiff,
  'problem' | 'rows' | 'changed' | 'same' | 'faulty' | 'ignored'
> {
  encoding: Encoding;
  delimiter: string;
  /** Lines with nothing but delimiters, left out. */
  empty: number;
  /** Lines that belong to the row before them. With them the rows and the head come to all lines of the file. */
  continued: number;
  /** None of them where there are more than one operation makes. */
  changes: CsvDiff['changes'];
  changeCount: number;
  /** The first ones. */
  faults: Array<Omit<CsvFault, 'cells'>>;
  faultCount: number;
  /** The rows with faults as they were, each once with its line and reasons, to be saved; undefined: there is none. */
  faultFile: Uint8Array<ArrayBuffer> | undefined;
}

/** Without clients a file moves no account. */
export function readAccounts(
  bytes: Uint8Array,
  accounts: readonly ComparedAccount[],
  clients?: readonly ComparedClient[],
): ReadFile {
  const { text, encoding } = decodeText(bytes);
  const parsed = parseCsv(text, Object.values(FILE_HEADS), rowsOfThese(accounts));
  const table = withoutEmptyRows(withoutReasons(parsed));
  const { delimiter, empty, continued } = table;
  const diff = diffCsv(table, accounts, clients);
  const { problem, rows, changed, same, faulty, ignored, changes, faults } = diff;
  return {
    encoding,
    delimiter,
    empty,
    continued,
    problem,
    rows,
    changed,
    same,
    faulty,
    ignored,
    changes: changes.length > BULK_LIMITS.items ? [] : changes,
    changeCount: changes.length,
    faults: faults
      .slice(0, SHOWN_FAULTS)
      .map(({ line, column, reason }) => ({ line, column, reason })),
    faultCount: faults.length,
    faultFile: faults.length > 0 ? faultFile(diff) : undefined,
  };
}

/** Why so many changes are too many at once; undefined: they aren’t. */
export function tooMany(changes: number): string | undefined {
  const limit = BULK_LIMITS.items.toLocaleString('en-US');
  const all = changes.toLocaleString('en-US');
  return changes > BULK_LIMITS.items
    ? `This file makes ${all} changes. Please make at most ${limit} at once.`
    : undefined;
}

/** What the file of faults has before the columns of the file that they are in. */
const REASON_HEADS = ['Line', 'Column', 'Reason'];

function faultFile({ heads, faults }: CsvDiff): Uint8Array<ArrayBuffer> {
  const byLine = new Map<number, CsvFault[]>();
  for (const fault of faults) {
    const ofLine = byLine.get(fault.line);
    if (ofLine) ofLine.push(fault);
    else byLine.set(fault.line, [fault]);
  }
  const rows = [...byLine].map(([line, ofLine]) => [
    line,
    [...new Set(ofLine.map(({ column }) => column))].filter(Boolean).join(', '),
    ofLine.map(({ reason }) => reason).join(' '),
    ...(ofLine[0]?.cells ?? []),
  ]);
  return new TextEncoder().encode(UTF8_MARK + csvOf([[...REASON_HEADS, ...heads], ...rows]));
}

/** Spreadsheets write a row of delimiters for one that nobody has filled. */
function withoutEmptyRows(table: CsvTable): CsvTable {
  const rows = table.rows.filter(({ cells }) => cells.some((cell) => cell !== ''));
  return { ...table, rows, empty: table.empty + table.rows.length - rows.length };
}

/** A file of faults, corrected, is the file that they were in: what was said of its rows is left out. */
function withoutReasons(table: CsvTable): CsvTable {
  const heads = table.rows[0]?.cells.map(headKey) ?? [];
  const ours = REASON_HEADS.map(headKey);
  if (!ours.every((head) => heads.includes(head))) return table;
  const rows = table.rows.map((row) => ({
    ...row,
    cells: row.cells.filter((_, at) => !ours.includes(heads[at] ?? '')),
  }));
  return { ...table, rows };
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
