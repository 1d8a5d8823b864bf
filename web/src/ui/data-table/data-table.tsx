import { type CSSProperties, useCallback, useRef } from 'react';
import type { Column, RowControl, Sort } from './column.ts';
import styles from './data-table.module.css';
import { nextSort } from './arrange-rows.ts';
import { SortIcon } from '../icons.tsx';
import { useRowKeys } from './use-row-keys.ts';
import { useVirtualRows } from './use-virtual-rows.ts';

/** Dashes that say there is nothing: a card on a phone leaves them out. */
const NOTHING = /^[–-]+$/;

interface TableRowProps<Row> {
  measure: (element: HTMLDivElement | null) => void;
  index: number;
  row: Row;
  columns: ReadonlyArray<Column<Row>>;
  controlOf: (control: string) => RowControl;
}

export interface DataTableProps<Row> {
  /** Names the table for screen readers. */
  label: string;
  columns: ReadonlyArray<Column<Row>>;
  /** In the order to show. */
  rows: readonly Row[];
  idOf: (row: Row) => string;
  sort: Sort;
  onSort: (sort: Sort) => void;
}

/**
 * A table that stays quick with thousands of rows: only those near the screen exist, the head stays in
 * view, the arrow keys move from row to row, and on a phone each row is a small card.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, idOf, sort, onSort } = props;
  const body = useRef<HTMLDivElement>(null);
  const ids = rows.map(idOf);
  const virtual = useVirtualRows(body, ids);
  const controlOf = useRowKeys({ body, ids, scrollTo: virtual.scrollTo });
  const measure = useCallback(
    (element: HTMLDivElement | null) => virtual.measure(element),
    [virtual],
  );

  return (
    <div
      className={styles['table']}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      style={gridTracks(columns)}
    >
      <div role="rowgroup" className={styles['head']}>
        <div role="row" aria-rowindex={1}>
          {columns.map((column) => (
            <HeadCell key={column.key} column={column} sort={sort} onSort={onSort} />
          ))}
        </div>
      </div>
      <div
        ref={body}
        role="rowgroup"
        className={styles['body']}
        style={{ paddingTop: virtual.before, paddingBottom: virtual.after }}
      >
        {virtual.indexes.map((index) => {
          const row = rows[index];
          const id = ids[index];
          if (row === undefined || id === undefined) return null;
          return (
            <TableRow
              key={id}
              measure={measure}
              index={index}
              row={row}
              columns={columns}
              controlOf={(control) => controlOf(index, control)}
            />
          );
        })}
      </div>
    </div>
  );
}

function HeadCell<Row>({
  column,
  sort,
  onSort,
}: {
  column: Column<Row>;
  sort: Sort;
  onSort: (sort: Sort) => void;
}) {
  const isSorted = sort.key === column.key;
  const direction = sort.isDescending ? 'descending' : 'ascending';
  return (
    <div
      role="columnheader"
      aria-sort={isSorted ? direction : undefined}
      data-numeric={column.isNumeric || undefined}
      data-from={column.from}
    >
      {column.sortBy ? (
        <button type="button" onClick={() => onSort(nextSort(sort, column.key))}>
          {column.label}
          <SortIcon direction={isSorted ? direction : undefined} />
        </button>
      ) : (
        <span className={column.key === 'action' ? 'visually-hidden' : undefined}>
          {column.label}
        </span>
      )}
    </div>
  );
}

/** The tracks of the rows on tablets and on wide screens, which show more columns. */
function gridTracks<Row>(columns: ReadonlyArray<Column<Row>>): CSSProperties {
  const tracks = (shown: ReadonlyArray<Column<Row>>): string =>
    shown.map((column) => column.width).join(' ');
  return {
    '--tracks': tracks(columns.filter((column) => column.from !== 'wide')),
    '--wide-tracks': tracks(columns),
  } as CSSProperties;
}

function TableRow<Row>(props: TableRowProps<Row>) {
  const { measure, index, row, columns, controlOf } = props;
  return (
    <div ref={measure} role="row" aria-rowindex={index + 2} data-index={index}>
      {columns.map((column) => (
        <div
          key={column.key}
          role="cell"
          data-label={column.label}
          data-head={column.head}
          data-empty={NOTHING.test(column.text(row)) || undefined}
          data-numeric={column.isNumeric || undefined}
          data-from={column.from}
        >
          {column.render?.(row, controlOf(column.key)) ?? column.text(row)}
        </div>
      ))}
    </div>
  );
}
