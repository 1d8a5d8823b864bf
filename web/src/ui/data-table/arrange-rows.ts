import type { ExportFile } from './export-file.ts';
import type { Column, Sort } from './column.ts';

interface Arrangement {
  /** Every word must be found in some column. */
  search: string;
  sort: Sort;
}

/** The rows that fit the search, in order. Rows that are equal keep the order they came in. */
export function arrangeRows<Row>(
  rows: readonly Row[],
  columns: ReadonlyArray<Column<Row>>,
  { search, sort }: Arrangement,
): Row[] {
  const words = foldCase(search).split(/\s+/).filter(Boolean);
  const fits = (row: Row): boolean => {
    if (words.length === 0) return true;
    const all = columns.map((column) => foldCase(column.text(row))).join('\n');
    return words.every((word) => all.includes(word));
  };
  const sortBy = columns.find((column) => column.key === sort.key)?.sortBy;
  const fitting = rows.filter(fits);
  if (!sortBy) return fitting;
  const order = sort.isDescending ? -1 : 1;
  return fitting
    .map((row) => ({ row, value: sortBy(row) }))
    .sort((a, b) => compareValues(a.value, b.value, order))
    .map(({ row }) => row);
}

const collator = new Intl.Collator('en', { numeric: true });

function compareValues(
  a: string | number | null,
  b: string | number | null,
  order: 1 | -1,
): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'number' && typeof b === 'number') return (a - b) * order;
  return collator.compare(String(a), String(b)) * order;
}

function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** The next order when a column's head is pressed: up first, then down. */
export function nextSort(sort: Sort, key: string): Sort {
  return { key, isDescending: sort.key === key && !sort.isDescending };
}

/** The rows as a spreadsheet has them. */
export function exportedRows<Row>(
  rows: readonly Row[],
  columns: ReadonlyArray<Column<Row>>,
): Pick<ExportFile, 'heads' | 'rows' | 'sums'> {
  const written = columns.filter((column) => column.csv !== null);
  return {
    heads: written.map(({ label }) => label),
    rows: rows.map((row) => written.map((column) => (column.csv ?? column.text)(row))),
    sums: written.filter(({ addsUp }) => addsUp).map(({ label }) => label),
  };
}
