import type { Column, RowControl } from './column.ts';

/** Dashes that say there is nothing: a card on a phone leaves them out. */
const NOTHING = /^[–-]+$/;

interface TableRowProps<Row> {
  measure: (element: HTMLDivElement | null) => void;
  index: number;
  row: Row;
  columns: ReadonlyArray<Column<Row>>;
  controlOf: (control: string) => RowControl;
}

export function TableRow<Row>(props: TableRowProps<Row>) {
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
