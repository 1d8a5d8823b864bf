import Papa from 'papaparse';
import { unguarded } from '#shared/domain/csv.ts';

/** A row of a file, with the line that it begins in; the first is 1. */
export interface CsvRow {
  line: number;
  cells: string[];
}

export interface CsvTable {
  rows: CsvRow[];
  delimiter: string;
  /** Rows without anything in them, which are left out. */
  empty: number;
  /** The line of a quote that is never closed: what follows it can't be read. */
  openQuote: number | undefined;
  /** There are more rows than are read. */
  isCut: boolean;
}

/** Rows that are read, the head among them: twice the largest table. */
export const ROWS_LIMIT = 200_000;

const DELIMITERS = [',', ';', '\t', '|'];
const BREAKS = /\r\n|\r|\n/g;

/** Rows and cells of a text; text that our own files guard from being taken for a formula is as it was. */
export function parseCsv(text: string, knownHeads: readonly string[] = []): CsvTable {
  const delimiter = delimiterOf(text, knownHeads);
  const table: CsvTable = { rows: [], delimiter, empty: 0, openQuote: undefined, isCut: false };
  let [line, at] = [1, 0];
  Papa.parse<string[]>(text, {
    delimiter,
    step: ({ data, errors, meta }, parser) => {
      const begun = line;
      const { cursor } = meta;
      line += text.slice(at, cursor).match(BREAKS)?.length ?? 0;
      at = cursor;
      if (errors.some(({ code }) => code === 'MissingQuotes')) {
        table.openQuote = begun;
        return;
      }
      const isEmpty = data.every((cell) => cell === '');
      if (isEmpty && data.length === 1) table.empty += 1;
      else if (table.rows.length < ROWS_LIMIT) {
        table.rows.push({ line: begun, cells: data.map(unguarded) });
      } else {
        table.isCut = true;
        parser.abort();
      }
    },
  });
  // After the last line break there is no row.
  if (/[\r\n]$/.test(text) && table.openQuote === undefined) table.empty -= 1;
  return table;
}

/** The one that makes the most columns of ours out of the first row; the most columns, where none is known. */
function delimiterOf(text: string, knownHeads: readonly string[]): string {
  const known = new Set(knownHeads.map(headKey));
  const counted = DELIMITERS.map((delimiter) => {
    const [heads = []] = Papa.parse<string[]>(text, { delimiter, preview: 1 }).data;
    return {
      delimiter,
      known: heads.filter((head) => known.has(headKey(head))).length,
      all: heads.length,
    };
  });
  counted.sort((a, b) => b.known - a.known || b.all - a.all);
  return counted[0]?.delimiter ?? ',';
}

/** What heads have in common that mean the same column. */
export const headKey = (head: string): string => head.normalize('NFKC').trim().toLowerCase();
