import type { Column, RowControl } from './column.ts';
import styles from './data-table.module.css';
import { type RowSelection, toggleAll, toggleRow } from './selection.ts';

/** Dashes that say there is nothing: a card on a phone leaves them out. */
const NOTHING = /^[–-]+$/;

interface TableRowProps<Row> {
  measure: (element: HTMLDivElement | null) => void;
  index: number;
  id: string;
  row: Row;
  name: string;
  columns: ReadonlyArray<Column<Row>>;
  selection: RowSelection | undefined;
  controlOf: (control: string) => RowControl;
}

export function TableRow<Row>(props: TableRowProps<Row>) {
  const { measure, index, id, row, name, columns, selection, controlOf } = props;
  const isSelected = selection?.selected.has(id) ?? false;
  return (
    <div
      ref={measure}
      role="row"
      aria-rowindex={index + 2}
      data-index={index}
      data-selected={isSelected || undefined}
    >
      {selection && (
        <div role="cell" className={styles['choose']}>
          <label>
            <input
              type="checkbox"
              aria-label={`Select ${name}`}
              {...controlOf('select')}
              checked={isSelected}
              onChange={() => selection.change(toggleRow(selection.selected, id))}
            />
          </label>
        </div>
      )}
      {columns.map((column) => (
        <div
          key={column.key}
          role="cell"
          data-label={column.label}
          data-head={column.head}
          data-empty={NOTHING.test(column.text(row)) || undefined}
          data-numeric={column.isNumeric}
          data-from={column.from}
        >
          {column.render?.(row, controlOf(column.key)) ?? column.text(row)}
        </div>
      ))}
    </div>
  );
}

/** The checkbox in the head: all rows shown, some, or none. */
export function SelectAll({ ids, selection }: { ids: readonly string[]; selection: RowSelection }) {
  const count = ids.filter((id) => selection.selected.has(id)).length;
  const isAll = count > 0 && count === ids.length;
  return (
    <div role="columnheader" className={styles['choose']}>
      <label>
        <input
          type="checkbox"
          aria-label="Select all rows shown"
          checked={isAll}
          ref={(element) => {
            if (element) element.indeterminate = count > 0 && !isAll;
          }}
          onChange={() => selection.change(toggleAll(selection.selected, ids))}
        />
      </label>
    </div>
  );
}
