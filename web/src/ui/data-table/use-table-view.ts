import { useDeferredValue, useMemo, useState } from 'react';
import { arrangeRows } from './arrange-rows.ts';
import type { Column, Sort } from './column.ts';

/** How a person looks at a table, and the rows they see. */
export interface TableView<Row> {
  search: string;
  setSearch: (search: string) => void;
  sort: Sort;
  setSort: (sort: Sort) => void;
  /** The rows that fit, in order. */
  shown: Row[];
}

export function useTableView<Row>(
  rows: readonly Row[],
  columns: ReadonlyArray<Column<Row>>,
  opening: Sort,
): TableView<Row> {
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState(opening);
  // Typing stays quick while thousands of rows are searched.
  const searched = useDeferredValue(search);
  const shown = useMemo(
    () => arrangeRows(rows, columns, { search: searched, sort }),
    [rows, columns, searched, sort],
  );
  return { search, setSearch, sort, setSort, shown };
}
