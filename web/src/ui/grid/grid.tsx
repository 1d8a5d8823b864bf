import {
  type CSSProperties,
  type MouseEvent,
  type PointerEvent,
  useId,
  useState,
  useSyncExternalStore,
} from 'react';
import type { SortBy } from './filter.ts';
import type { GridColumn } from './grid-column.ts';
import { GridHead, sortedBy } from './grid-head.tsx';
import { cellId, GridRow } from './grid-row.tsx';
import { type GridSelection, isSelected } from './grid-selection.ts';
import styles from './grid.module.css';
import { useGridKeys } from './use-grid-keys.ts';
import { GridWindow } from './grid-window.ts';

interface GridProps<Row> {
  /** Names the grid for screen readers. */
  label: string;
  /** Those shown, in their order. */
  columns: ReadonlyArray<GridColumn<Row>>;
  count: number;
  /** The row of this number among those that match. */
  rowAt: (index: number) => Row | undefined;
  idOf: (row: Row) => string;
  nameOf: (row: Row) => string;
  sorts: readonly SortBy[];
  onSort: (sorts: SortBy[]) => void;
  selection: GridSelection;
  onSelect: (selection: GridSelection) => void;
  /** How many are chosen of those that match. */
  chosen: number;
  /** What stands below a column, by its key. */
  sums: Readonly<Record<string, string>>;
  /** Which rows these sums are of. */
  sumsLabel: string;
  now: () => number;
}

const CHOOSE_PX = 44;

/**
 * A grid that stays quick with a hundred thousand rows: only those near the sight exist. It is one tab stop; keys
 * move the cell that is meant, see `grid-keys.ts`.
 */
export function Grid<Row>(props: GridProps<Row>) {
  const { label, columns, count, rowAt, idOf, nameOf, sorts, selection, onSelect } = props;
  const gridId = useId();
  const [grid] = useState(() => new GridWindow());
  const { attach, subscribe, read } = grid;
  const { page, rowPx, slots, ...drawn } = useSyncExternalStore(subscribe, read);
  const first = Math.max(0, Math.min(drawn.first, count - 1));
  const end = Math.min(drawn.end, count);
  const textAt = (of: (row: Row) => string, index: number): string => {
    const row = rowAt(index);
    return row === undefined ? '' : of(row);
  };
  const onSort = (column: number, isAdding: boolean): void => {
    const pressed = columns[column - 1];
    if (pressed && !pressed.isAction) props.onSort(sortedBy(sorts, pressed.key, isAdding));
  };
  const keys = useGridKeys({
    grid,
    rows: count,
    columns: columns.length + 1,
    page,
    idOf: (index) => textAt(idOf, index),
    nameOf: (index) => textAt(nameOf, index).replace(/^@/, ''),
    selection,
    onSelect,
    onSort,
    now: props.now,
  });
  const { row: activeRow, column: activeColumn } = keys.place;
  const hasFoot = Object.keys(props.sums).length > 0;
  const isDrawn = activeRow < 0 || (activeRow >= first && activeRow < end);

  const onClick = (event: MouseEvent): void => {
    const at = placeOf(event.target);
    if (!at) return;
    if (event.target instanceof HTMLInputElement && at.column === 0) {
      keys.toggle(at.row, event.shiftKey);
      // Keys that follow the mouse are the grid’s.
      grid.element?.focus({ preventScroll: true });
    }
    keys.goTo(at);
  };
  /** What a cell has no room for. Each cell that always had it would be styled anew with every row that scrolls by. */
  const showCutOff = ({ target }: PointerEvent): void => {
    const [at, cell] = [placeOf(target), cellOf(target)];
    const column = at && columns[at.column - 1];
    if (!column || !cell || column.isAction || !isCutOff(cell)) return;
    cell.title = textAt(column.text, at.row);
  };
  return (
    <div
      ref={attach}
      role="grid"
      aria-label={label}
      aria-rowcount={count + (hasFoot ? 2 : 1)}
      aria-colcount={columns.length + 1}
      aria-multiselectable
      aria-activedescendant={isDrawn ? cellId(gridId, activeRow, activeColumn) : undefined}
      tabIndex={0}
      className={styles['grid']}
      style={tracksOf(columns)}
      onKeyDown={keys.onKeyDown}
      onClick={onClick}
      onPointerOver={showCutOff}
      onPointerOut={({ target }) => cellOf(target)?.removeAttribute('title')}
    >
      <GridHead
        gridId={gridId}
        columns={columns}
        sorts={sorts}
        onSort={onSort}
        chosen={props.chosen === 0 ? 'none' : props.chosen >= count ? 'all' : 'some'}
        onChooseAll={keys.toggleAll}
        activeColumn={activeRow < 0 ? activeColumn : undefined}
      />
      <div role="rowgroup" className={styles['body']} style={{ height: count * rowPx }}>
        {Array.from({ length: Math.max(0, end - first) }, (_, nth) => {
          const index = first + nth;
          const row = rowAt(index);
          if (row === undefined) return null;
          const id = idOf(row);
          return (
            <GridRow
              key={slots[nth]}
              id={id}
              gridId={gridId}
              index={index}
              row={row}
              name={nameOf(row)}
              columns={columns}
              isSelected={isSelected(selection, id)}
              activeColumn={index === activeRow ? activeColumn : undefined}
              topPx={index * rowPx}
            />
          );
        })}
      </div>
      {hasFoot && <Foot {...props} rowIndex={count + 2} />}
    </div>
  );
}

/** Its first cell has the room of the first column, too, unless that has a sum. */
function Foot<Row>({
  columns,
  sums,
  sumsLabel,
  rowIndex,
}: Pick<GridProps<Row>, 'columns' | 'sums' | 'sumsLabel'> & { rowIndex: number }) {
  const [first] = columns;
  const span = first && sums[first.key] === undefined ? 2 : 1;
  return (
    <div role="rowgroup" className={styles['foot']} data-sticks>
      <div role="row" aria-rowindex={rowIndex}>
        <div
          role="gridcell"
          className={styles['total']}
          style={{ gridColumn: `span ${span}` }}
          aria-colindex={1}
          aria-colspan={span}
          title={span === 1 ? sumsLabel : undefined}
        >
          <span className={span === 1 ? 'visually-hidden' : undefined}>{sumsLabel}</span>
        </div>
        {columns.slice(span - 1).map((column, nth) => (
          <div
            key={column.key}
            role="gridcell"
            aria-colindex={nth + span + 1}
            data-numeric={column.isNumeric}
          >
            {sums[column.key]}
          </div>
        ))}
      </div>
    </div>
  );
}

const isCutOff = (cell: HTMLElement): boolean =>
  [cell, ...cell.querySelectorAll<HTMLElement>('*')].some(
    ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
  );

const cellOf = (target: EventTarget): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null;

function placeOf(target: EventTarget): { row: number; column: number } | undefined {
  const cell = cellOf(target);
  const row = cell?.closest<HTMLElement>('[data-row]');
  if (!cell || !row) return undefined;
  return { row: Number(row.dataset['row']), column: Number(cell.dataset['column']) };
}

function tracksOf<Row>(columns: ReadonlyArray<GridColumn<Row>>): CSSProperties {
  const tracks = columns.map(({ width, grow = 1 }) => `minmax(${width}px, ${grow}fr)`);
  const least = columns.reduce((sum, { width }) => sum + width, CHOOSE_PX);
  return {
    '--tracks': [`${CHOOSE_PX}px`, ...tracks].join(' '),
    '--least': `${least}px`,
  } as CSSProperties;
}
