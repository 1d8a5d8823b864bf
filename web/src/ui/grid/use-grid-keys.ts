import { type KeyboardEvent, useRef, useState } from 'react';
import {
  actionFor,
  findTyped,
  type GridAction,
  type GridPlace,
  type Typed,
  typeLetter,
} from './grid-keys.ts';
import type { GridWindow } from './grid-window.ts';
import {
  ALL_SELECTED,
  type GridSelection,
  NONE_SELECTED,
  toggled,
  withRows,
} from './grid-selection.ts';

interface GridKeysOptions {
  grid: GridWindow;
  rows: number;
  columns: number;
  page: number;
  idOf: (row: number) => string;
  nameOf: (row: number) => string;
  selection: GridSelection;
  onSelect: (selection: GridSelection) => void;
  /** Sorts by the column whose head it is. */
  onSort: (column: number, isAdding: boolean) => void;
  now: () => number;
}

interface GridKeys {
  place: GridPlace;
  onKeyDown: (event: KeyboardEvent) => void;
  /** Somebody pressed a cell. */
  goTo: (place: GridPlace) => void;
  /** Somebody pressed a row’s box; the rows from the one before with Shift. */
  toggle: (row: number, isRange: boolean) => void;
  toggleAll: () => void;
}

/** Where a range began, with what was chosen before. */
interface Anchor {
  row: number;
  base: GridSelection;
}

/** Chooses rows; a range is made anew with every step from what was chosen before it, so that it shrinks as well. */
function useGridRange({
  idOf,
  selection,
  onSelect,
}: Pick<GridKeysOptions, 'idOf' | 'selection' | 'onSelect'>) {
  const anchor = useRef<Anchor>(undefined);
  const selectTo = (row: number, begin: number): void => {
    const from = anchor.current ?? { row: begin, base: selection };
    anchor.current = from;
    const [first, last] = from.row < row ? [from.row, row] : [row, from.row];
    const ids = Array.from({ length: last - first + 1 }, (_, nth) => idOf(first + nth));
    onSelect(withRows(from.base, ids, true));
  };
  const toggle = (row: number, isRange: boolean): void => {
    if (isRange && anchor.current) return selectTo(row, row);
    const next = toggled(selection, idOf(row));
    anchor.current = { row, base: next };
    return onSelect(next);
  };
  const toggleAll = (): void => {
    anchor.current = undefined;
    const isAll = selection.kind === 'all' && selection.except.size === 0;
    onSelect(isAll ? NONE_SELECTED : ALL_SELECTED);
  };
  const endRange = (): void => {
    anchor.current = undefined;
  };
  return { selectTo, toggle, toggleAll, endRange };
}

/** One tab stop: the grid has the focus, and says which cell is meant. Enter goes into a cell, Escape out. */
export function useGridKeys(options: GridKeysOptions): GridKeys {
  const { grid, rows, columns, page } = options;
  const [wanted, setPlace] = useState<GridPlace>({ row: 0, column: 0 });
  const typed = useRef<Typed>({ text: '', atMs: -Infinity });
  const { selectTo, toggle, toggleAll, endRange } = useGridRange(options);
  const place = {
    row: Math.min(wanted.row, rows - 1),
    column: Math.min(wanted.column, columns - 1),
  };

  const go = (to: GridPlace): void => {
    setPlace(to);
    if (to.row >= 0) grid.scrollTo(to.row);
  };
  const extendTo = (to: GridPlace): void => {
    const row = Math.max(to.row, 0);
    selectTo(row, place.row);
    go({ ...to, row });
  };
  const findByName = (letter: string): void => {
    typed.current = typeLetter(typed.current, letter, options.now());
    const row = findTyped(typed.current.text, place.row, rows, options.nameOf);
    if (row !== undefined) go({ row, column: place.column });
  };

  const act = (action: GridAction): void => {
    switch (action.kind) {
      case 'move':
        if (action.isExtending) return extendTo(action.to);
        endRange();
        return go(action.to);
      case 'toggle':
        return place.row < 0 ? toggleAll() : toggle(place.row, false);
      case 'range':
        return place.row < 0 ? undefined : selectTo(place.row, place.row);
      case 'all':
        return toggleAll();
      case 'enter':
        if (place.row < 0) return options.onSort(place.column, action.isAdding);
        return enterCell(grid.element, place);
      case 'type':
        return findByName(action.letter);
      default:
        return action satisfies never;
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget && !leavesCell(event, grid.element)) return;
    const action = actionFor(event, place, { rows, columns, page });
    if (!action) return;
    event.preventDefault();
    act(action);
  };
  return { place, onKeyDown, goTo: setPlace, toggle, toggleAll };
}

/** What can be pressed in the cell gets the focus. */
function enterCell(grid: HTMLElement | null, { row, column }: GridPlace): void {
  const cell = grid?.querySelector(`[data-row="${row}"] [data-column="${column}"]`);
  cell?.querySelector<HTMLElement>('button, a, input')?.focus({ preventScroll: true });
}

/** Whether a key that was pressed inside a cell is the grid’s: Escape and arrows go back to it. */
function leavesCell(event: KeyboardEvent, grid: HTMLElement | null): boolean {
  const isLeaving = event.key === 'Escape' || event.key.startsWith('Arrow');
  if (!isLeaving) return false;
  grid?.focus({ preventScroll: true });
  event.preventDefault();
  event.stopPropagation();
  return event.key !== 'Escape';
}
