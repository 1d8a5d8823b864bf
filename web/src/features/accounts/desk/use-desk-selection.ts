import { useMemo, useState } from 'react';
import { sumOf } from '#web/ui/grid/build-table.ts';
import type { GridColumn } from '#web/ui/grid/grid-column.ts';
import {
  asRows,
  countSelected,
  type GridSelection,
  isSelected,
  NONE_SELECTED,
  type SelectionCount,
} from '#web/ui/grid/grid-selection.ts';
import type { Arranged, Table } from '#web/ui/grid/use-arranged.ts';
import type { DeskRow } from './desk-columns.tsx';

const idOf = (row: DeskRow | undefined): string => row?.account.igUsername ?? '';

/** What is chosen on the desk. */
export interface DeskSelection {
  selection: GridSelection;
  select: (selection: GridSelection) => void;
  clear: () => void;
  /** Spells out “all that match” before something else matches. */
  keepRows: () => void;
  count: SelectionCount;
  /** How many match. */
  matching: number;
  /** Those chosen; where none is, all that match. In the order of the table, hidden ones last. */
  rows: () => DeskRow[];
  /** What these rows come to, in words, by column. */
  sums: (columns: ReadonlyArray<GridColumn<DeskRow>>) => Record<string, string>;
}

export function useDeskSelection(
  table: Table<DeskRow>,
  arranged: Arranged<DeskRow> | undefined,
): DeskSelection {
  const [selection, select] = useState<GridSelection>(NONE_SELECTED);
  const shownIds = useMemo(() => {
    const { order = [], rows = [] } = arranged ?? {};
    return new Set(Array.from(order, (nth) => idOf(rows[nth])));
  }, [arranged]);
  const allIds = useMemo(() => new Set(table.rows.map(idOf)), [table]);
  const count = useMemo(
    () =>
      countSelected(selection, shownIds.size, {
        isKnown: (id) => allIds.has(id),
        isShown: (id) => shownIds.has(id),
      }),
    [selection, shownIds, allIds],
  );
  const chosenRows = useMemo(() => {
    const { order = [], rows = [], data } = arranged ?? {};
    const matching = Array.from(order);
    if (!data || count.chosen === 0) return matching;
    const chosen = matching.filter((nth) => isSelected(selection, idOf(rows[nth])));
    if (selection.kind === 'all' || count.hidden === 0) return chosen;
    const hidden = rows.flatMap((row, nth) => {
      const id = idOf(row);
      return selection.ids.has(id) && !shownIds.has(id) ? [nth] : [];
    });
    return [...chosen, ...hidden];
  }, [arranged, selection, count, shownIds]);
  return {
    selection,
    select,
    clear: () => select(NONE_SELECTED),
    keepRows: () => select(asRows(selection, () => shownIds)),
    count,
    matching: shownIds.size,
    rows: () => chosenRows.flatMap((nth) => arranged?.rows[nth] ?? []),
    sums: (columns) =>
      Object.fromEntries(
        columns.flatMap(({ key, sum }) =>
          sum && arranged ? [[key, sum(sumOf(arranged.data, key, chosenRows))]] : [],
        ),
      ),
  };
}
