import type { ReactNode } from 'react';

/** One column of a table: what it shows, sorts by, is searched in and writes into a spreadsheet. */
export interface Column<Row> {
  key: string;
  label: string;
  /** As text: shown unless `render` is given, and searched in. */
  text: (row: Row) => string;
  render?: (row: Row) => ReactNode;
  /** What to sort by; without it the column can't be sorted. Null sorts last, either way. */
  sortBy?: (row: Row) => string | number | null;
  /** The cell of the spreadsheet; `text` without it, null leaves the column out. */
  csv?: ((row: Row) => string | number) | null;
  /** Right-aligned, with tabular figures. */
  isNumeric?: boolean;
  /** CSS width; the columns without one share the rest. */
  width?: string;
  /** Which screens have room for it: all, from a tablet up, or wide ones only. */
  from?: 'tablet' | 'wide';
}

export interface Sort {
  key: string;
  isDescending: boolean;
}
