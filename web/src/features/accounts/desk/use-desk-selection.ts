import { useMemo, useState } from 'react';
import { sumOf } from '#web/ui/grid/build-table.ts';
import { type GridColumn, NO_VALUE } from '#web/ui/grid/grid-column.ts';
import {
  asRows,
  countSelected,
  type GridSelection,
  isSelected,
  NONE_SELECTED,
  selectionInWords,
  type SelectionCount,
} from '#web/ui/grid/grid-selection.ts';
import type { Arranged, Table } from '#web/ui/grid/use-arranged.ts';
import type { DeskRow } from './desk-columns.tsx';

const idOf = (row: DeskRow | undefined): string => row?.account.igUsername ?? '';

const NO_ROWS = new Uint32Array();

/** Worked out when somebody asks: of a hundred thousand rows it takes a moment, and mostly nothing is chosen. */
function lazily<Result extends object>(work: () => Result): () => Result {
  let known: Result | undefined;
  return () => (known ??= work());
}

/** What is chosen on the desk. */
export interface DeskSelection {
  selection: GridSelection;
  select: (selection: GridSelection) => void;
  clear: () => void;
  /** Spells out “all that match” before something else matches. */
  keepRows: () => void;
  count: SelectionCount;
  /** How many, in words. */
  words: string;
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
  const order = arranged?.order ?? NO_ROWS;
  const shownIds = useMemo(() => {
    const { order: shown = NO_ROWS, rows = [] } = arranged ?? {};
    return lazily(() => new Set(Array.from(shown, (nth) => idOf(rows[nth]))));
  }, [arranged]);
  const allIds = useMemo(() => lazily(() => new Set(table.rows.map(idOf))), [table]);
  const count = useMemo(
    () =>
      countSelected(selection, order.length, {
        isKnown: (id) => allIds().has(id),
        isShown: (id) => shownIds().has(id),
      }),
    [selection, order, shownIds, allIds],
  );
  const chosenRows = useMemo(() => {
    const { order: shown = NO_ROWS, rows = [], data } = arranged ?? {};
    if (!data || count.chosen === 0) return shown;
    const chosen = shown.filter((nth) => isSelected(selection, idOf(rows[nth])));
    if (selection.kind === 'all' || count.hidden === 0) return chosen;
    const hidden = rows.flatMap((row, nth) => {
      const id = idOf(row);
      return selection.ids.has(id) && !shownIds().has(id) ? [nth] : [];
    });
    return [...chosen, ...hidden];
  }, [arranged, selection, count, shownIds]);
  return {
    selection,
    select,
    clear: () => select(NONE_SELECTED),
    keepRows: () => select(asRows(selection, shownIds)),
    count,
    words: selectionInWords(selection, order.length, count),
    rows: () => Array.from(chosenRows).flatMap((nth) => arranged?.rows[nth] ?? []),
    sums: (columns) =>
      Object.fromEntries(
        columns.flatMap(({ key, sum }) => {
          if (!sum || !arranged) return [];
          const total = sumOf(arranged.data, key, chosenRows);
          return [[key, total === undefined ? NO_VALUE : sum(total)]];
        }),
      ),
  };
}
