import { memo, useLayoutEffect, useRef } from 'react';
import { type GridColumn, NO_VALUE } from './grid-column.ts';
import styles from './grid.module.css';

interface GridRowProps<Row> {
  gridId: string;
  id: string;
  /** Its number among the rows that match. */
  index: number;
  row: Row;
  name: string;
  columns: ReadonlyArray<GridColumn<Row>>;
  isSelected: boolean;
  /** The number of the cell that is meant, in the row it is in; the box is the first. */
  activeColumn: number | undefined;
  topPx: number;
}

/** The id of a cell, by which the grid says which one is meant. */
export const cellId = (gridId: string, row: number, column: number): string =>
  `${gridId}-${row}-${column}`;

function Row<Of>({ gridId, id, index, row, name, isSelected, ...props }: GridRowProps<Of>) {
  const { columns, activeColumn, topPx } = props;
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const drawn = element.current;
    const handBackFocus = (): void => {
      if (!drawn?.contains(document.activeElement)) return;
      drawn.closest<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true });
    };
    // What has the focus was another row’s.
    handBackFocus();
    // A row that scrolls out of sight takes no focus along.
    return handBackFocus;
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- whenever it is drawn for another row
  }, [id]);
  const cell = (column: number) => ({
    id: cellId(gridId, index, column),
    role: 'gridcell' as const,
    'aria-colindex': column + 1,
    'data-column': column,
    'data-active': activeColumn === column || undefined,
  });
  return (
    <div
      ref={element}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className={styles['row']}
      data-row={index}
      data-selected={isSelected || undefined}
      style={{ transform: `translateY(${topPx}px)` }}
    >
      <div {...cell(0)} className={styles['choose']}>
        <label>
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={`Select ${name}`}
            data-choose
            checked={isSelected}
            readOnly
          />
        </label>
      </div>
      {columns.map((column, nth) => {
        const text = column.text(row);
        return (
          <div
            key={column.key}
            {...cell(nth + 1)}
            data-label={column.label}
            data-numeric={column.isNumeric}
            data-phone={column.phone}
            data-empty={text === '' || undefined}
          >
            {column.render?.(row) ?? (text === '' ? NO_VALUE : text)}
          </div>
        );
      })}
    </div>
  );
}

/** A row that is drawn again only when something of it has changed. */
export const GridRow = memo(Row) as typeof Row;
