import Papa from 'papaparse';
import { unguarded } from '#shared/domain/accounts/csv.ts';

/** A row of a file, with the line that it begins in; the first is 1. */
export interface CsvRow {
  line: number;
  cells: string[];
  /** The line of quotation marks that don’t match, for which this row can’t be read: its own, or one before. */
  brokenBy?: number;
}

export interface CsvTable {
  rows: CsvRow[];
  delimiter: string;
  /** Rows without anything in them, which are left out. */
  empty: number;
  /** Lines that belong to the row before them, because one of its cells has line breaks. */
  continued: number;
  /** There are more rows than are read. */
  isCut: boolean;
}

/** Rows that are read, the head among them: twice the largest table. */
export const ROWS_LIMIT = 200_000;

/** So often is a file read on after a broken row, each time perhaps to its end; then no row of it can be read. */
const BROKEN_LIMIT = 100;

const DELIMITERS = [',', ';', '\t', '|'];
const BREAKS = /\r\n|\r|\n/g;
const LAST_BREAK = /(?:\r\n|\r|\n)$/;

interface Place {
  line: number;
  at: number;
}

/** Whether a line, read alone, is a row of its own. */
export type IsRow = (cells: readonly string[], heads: readonly string[]) => boolean;

/**
 * Rows and cells of a text; text that our own files guard from being taken for a formula is as it was.
 * @param isRow where it finds a row inside a cell, the cell’s quotation marks are two that belong to none
 */
export function parseCsv(
  text: string,
  knownHeads: readonly string[] = [],
  isRow: IsRow = () => false,
): CsvTable {
  const delimiter = delimiterOf(text, knownHeads);
  const table: CsvTable = { rows: [], delimiter, empty: 0, continued: 0, isCut: false };
  // After the last line break there is no row.
  const body = text.replace(LAST_BREAK, '');
  let place: Place | undefined = { line: 1, at: 0 };
  for (let nth = 1; place && !table.isCut; nth += 1) {
    // Behind a broken row the last line may be a blank one, of which no row would be read.
    const isBlank: boolean = nth > 1 && place.at === body.length;
    const broken: Place | undefined = isBlank ? place : readRows(table, body, place, isRow);
    place = broken && breakLine(table, body, broken, broken.line);
    if (nth < BROKEN_LIMIT || !broken) continue;
    while (place && !table.isCut) place = breakLine(table, body, place, broken.line);
  }
  const lines = body === '' ? 0 : body.split(BREAKS).length;
  return { ...table, continued: lines - table.rows.length - table.empty };
}

/** Reads up to a row whose quotation marks don’t match, and tells where it begins; undefined: there is none. */
function readRows(table: CsvTable, text: string, from: Place, isRow: IsRow): Place | undefined {
  let { line, at } = from;
  let broken: Place | undefined;
  Papa.parse<string[]>(text.slice(from.at), {
    delimiter: table.delimiter,
    step: ({ data, errors, meta }, parser) => {
      const end = from.at + meta.cursor;
      const row = text.slice(at, end);
      const cells = data.map(unguarded);
      const further = row.replace(LAST_BREAK, '').split(BREAKS).slice(1);
      const heads = table.rows[0]?.cells ?? cells;
      const hidesRow = further.some((each) =>
        isRow(each.replaceAll('"', '').split(table.delimiter), heads),
      );
      if (hidesRow || errors.some(({ type }) => type === 'Quotes')) broken = { line, at };
      else keep(table, { line, cells });
      if (broken || table.isCut) {
        parser.abort();
        return;
      }
      line += row.match(BREAKS)?.length ?? 0;
      at = end;
    },
  });
  return broken;
}

/** Keeps a line as a row that can’t be read, parted as well as can be, and tells where the next one begins. */
function breakLine(
  table: CsvTable,
  text: string,
  { line, at }: Place,
  brokenBy: number,
): Place | undefined {
  BREAKS.lastIndex = at;
  const end = BREAKS.exec(text);
  const cells = text.slice(at, end?.index).split(table.delimiter).map(unguarded);
  keep(table, { line, cells, brokenBy });
  return end ? { line: line + 1, at: BREAKS.lastIndex } : undefined;
}

function keep(table: CsvTable, row: CsvRow): void {
  if (row.cells.length === 1 && row.cells[0] === '') table.empty += 1;
  else if (table.rows.length < ROWS_LIMIT) table.rows.push(row);
  else table.isCut = true;
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
