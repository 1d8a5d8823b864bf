import { SortIcon } from '../icons.tsx';
import type { SortBy } from './filter.ts';
import type { GridColumn } from './grid-column.ts';
import { cellId } from './grid-row.tsx';
import styles from './grid.module.css';

const SORTED = 'Press with Shift to sort by several columns';

interface GridHeadProps<Row> {
  gridId: string;
  columns: ReadonlyArray<GridColumn<Row>>;
  sorts: readonly SortBy[];
  onSort: (column: number, isAdding: boolean) => void;
  /** All that match are chosen, some, or none. */
  chosen: 'all' | 'some' | 'none';
  onChooseAll: () => void;
  activeColumn: number | undefined;
}

export function GridHead<Row>(props: GridHeadProps<Row>) {
  const { gridId, columns, sorts, onSort, chosen, onChooseAll, activeColumn } = props;
  const cell = (column: number) => ({
    id: cellId(gridId, -1, column),
    role: 'columnheader' as const,
    'aria-colindex': column + 1,
    'data-active': activeColumn === column || undefined,
  });
  return (
    <div role="rowgroup" className={styles['head']} data-sticks>
      <div role="row" aria-rowindex={1}>
        <div {...cell(0)} className={styles['choose']}>
          <label>
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label="Select all that match"
              checked={chosen === 'all'}
              ref={(element) => {
                if (element) element.indeterminate = chosen === 'some';
              }}
              onChange={onChooseAll}
            />
          </label>
        </div>
        {columns.map((column, nth) => {
          const place = sorts.findIndex(({ key }) => key === column.key);
          const direction = place < 0 ? undefined : directionOf(sorts[place]);
          return (
            <div
              key={column.key}
              {...cell(nth + 1)}
              aria-sort={direction}
              data-numeric={column.isNumeric}
            >
              {column.isAction ? (
                <span className="visually-hidden">{column.label}</span>
              ) : (
                <button
                  type="button"
                  tabIndex={-1}
                  title={column.about ? `${column.about}. ${SORTED}` : SORTED}
                  onClick={(event) => onSort(nth + 1, event.shiftKey)}
                >
                  <span className={styles['label']}>{column.label}</span>
                  <SortIcon direction={direction} />
                  {sorts.length > 1 && place >= 0 && (
                    <span className={styles['place']}>
                      <span className="visually-hidden">, sorted as number </span>
                      {place + 1}
                    </span>
                  )}
                </button>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

const directionOf = (sort: SortBy | undefined): 'ascending' | 'descending' =>
  sort?.isDescending ? 'descending' : 'ascending';

/** The order after a column’s head was pressed: up first, then down; beside the others, a third press ends it. */
export function sortedBy(sorts: readonly SortBy[], key: string, isAdding: boolean): SortBy[] {
  const before = sorts.find((sort) => sort.key === key);
  if (!isAdding) return [{ key, isDescending: before !== undefined && !before.isDescending }];
  if (!before) return [...sorts, { key, isDescending: false }];
  return before.isDescending
    ? sorts.filter((sort) => sort !== before)
    : sorts.map((sort) => (sort === before ? { key, isDescending: true } : sort));
}
