import type { KeyboardEvent, ReactNode } from 'react';

/** What makes a button or link inside a row reachable: spread these onto it. */
export interface RowControl {
  /** -1 in the rows one isn't in, so that Tab passes a long table in a few steps. */
  tabIndex: number;
  /** The arrow keys move from a row's control to the next row's control of this name. */
  'data-control': string;
  onKeyDown: (event: KeyboardEvent) => void;
  onFocus: () => void;
}

/** One column of a table: what it shows, sorts by, is searched in and writes into a spreadsheet. */
export interface Column<Row> {
  key: string;
  label: string;
  /** As text: shown unless `render` is given, and searched in. */
  text: (row: Row) => string;
  render?: (row: Row, control: RowControl) => ReactNode;
  /** What to sort by; without it the column can't be sorted. Null sorts last, either way. */
  sortBy?: (row: Row) => string | number | null;
  /** The cell of the spreadsheet; `text` without it, null leaves the column out. */
  csv?: ((row: Row) => string | number) | null;
  /** What it writes into a spreadsheet means something added up. */
  addsUp?: boolean;
  /** Right-aligned, with tabular figures. */
  isNumeric?: boolean;
  /** The CSS width of its grid track. */
  width: string;
  /** Which screens have room for it; without it all of them. */
  from?: 'tablet' | 'wide';
  /** On a phone, where a row is a card: what names it, or stands at the end of that line. */
  head?: 'title' | 'end';
}

export interface Sort {
  key: string;
  isDescending: boolean;
}
