import type { ReactNode } from 'react';
import type { FieldKind } from './table-data.ts';

/** What is shown where there is nothing, or nothing is known. */
export const NO_VALUE = '–';

/** One column of a grid: what it shows, and what its rows are sorted, found and summed up by. */
export interface GridColumn<Row> {
  key: string;
  label: string;
  /** What its figures mean, where the label can’t say it. */
  about?: string;
  kind: FieldKind;
  /** The part of a row that all of it is read from: while that is the same object, so is what is read. */
  of?: (row: Row) => unknown;
  /** As text; empty: there is none. */
  text: (row: Row) => string;
  /** What it is sorted and filtered by, as `FieldValues` has it; without it: `text`. */
  value?: (row: Row) => number | null | readonly string[] | string;
  render?: (row: Row) => ReactNode;
  /** The cell of a spreadsheet; `text` without it, null leaves the column out. */
  csv?: ((row: Row) => string | number) | null;
  /** What the rows come to together, in words; without it the foot says nothing. */
  sum?: (total: number) => string;
  isNumeric?: boolean;
  /** Of something to press only: neither sorted nor chosen by. */
  isAction?: boolean;
  /** Whether it is there unless somebody chose. */
  isUsual: boolean;
  /** Whether a search looks into it. */
  isSearched?: boolean;
  /** At least so wide, in pixels; what is left over is shared by `grow`. */
  width: number;
  grow?: number;
  /** On a phone: what names the row, stands beside its name, below it, may be cut off there, or ends it; without it, nothing. */
  phone?: 'title' | 'aside' | 'fact' | 'more' | 'end';
}
