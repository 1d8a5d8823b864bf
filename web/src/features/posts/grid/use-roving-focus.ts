import { useCallback, useLayoutEffect, useState, type KeyboardEvent } from 'react';
import type { GridFocus } from './grid-focus.ts';

interface RovingFocus {
  /** The one card that is in the tab order. */
  activeIndex: number;
  onKeyDown: (event: KeyboardEvent) => void;
  /** Makes a card the one in the tab order, because it has the focus now. */
  onCardFocus: (id: string) => void;
}

/** The keyboard of a grid of cards: one of them is in the tab order, arrow keys move on from it. */
export function useRovingFocus(
  ids: readonly string[],
  focus: GridFocus,
  shape: Omit<GridShape, 'count'>,
  scrollTo: (index: number) => void,
): RovingFocus {
  const [activeId, setActiveId] = useState(() => focus.activeId());
  const activeIndex = Math.max(0, activeId === undefined ? 0 : ids.indexOf(activeId));

  useLayoutEffect(() => {
    const card = focus.isWanted() ? findCard(focus.activeId()) : null;
    if (!card) return;
    focus.settle();
    card.focus({ preventScroll: true });
  });
  useLayoutEffect(
    () => () => {
      const { activeElement } = document;
      const card = findCard(focus.activeId());
      if (card && card === activeElement) focus.want();
    },
    [focus],
  );

  const activate = useCallback(
    (id: string) => {
      focus.activate(id);
      setActiveId(id);
    },
    [focus],
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.shiftKey) return;
    const { columns, rowsOnScreen } = shape;
    const grid = { count: ids.length, columns, rowsOnScreen };
    const hasControl = event.ctrlKey || event.metaKey;
    const to = gridMove(event.key, hasControl, activeIndex, grid);
    const id = to === undefined ? undefined : ids[to];
    if (to === undefined || id === undefined) return;
    event.preventDefault();
    if (id === activeId) {
      findCard(id)?.focus({ preventScroll: true });
    } else {
      focus.want();
      activate(id);
    }
    scrollTo(to);
  };

  return { activeIndex, onKeyDown, onCardFocus: activate };
}

/** The id of the link of a post's card. */
export const cardId = (postId: string): string => `post-${postId}`;

function findCard(postId: string | undefined): HTMLElement | null {
  return postId === undefined ? null : document.getElementById(cardId(postId));
}

/** The shape of a grid at this moment. */
interface GridShape {
  count: number;
  columns: number;
  /** Rows that fit on the screen, for the page keys. */
  rowsOnScreen: number;
}

/** Where a key moves the focus in a grid of cards; undefined when the key is none of the grid's. */
export function gridMove(
  key: string,
  hasControl: boolean,
  index: number,
  { count, columns, rowsOnScreen }: GridShape,
): number | undefined {
  const inGrid = (to: number): number => Math.max(0, Math.min(count - 1, to));
  /** Stays in its column; a last row that is too short takes its last card. */
  const byRows = (rows: number): number => {
    const to = index + rows * columns;
    if (to < 0) return index % columns;
    const lastRow = Math.floor((count - 1) / columns);
    return Math.floor(to / columns) > lastRow ? lastInColumn(index % columns) : inGrid(to);
  };
  const lastInColumn = (column: number): number =>
    inGrid(Math.floor((count - 1) / columns) * columns + column);
  const rowStart = index - (index % columns);

  switch (key) {
    case 'ArrowRight':
      return inGrid(index + 1);
    case 'ArrowLeft':
      return inGrid(index - 1);
    case 'ArrowDown':
      return byRows(1);
    case 'ArrowUp':
      return index < columns ? index : byRows(-1);
    case 'PageDown':
      return byRows(Math.max(1, rowsOnScreen));
    case 'PageUp':
      return byRows(-Math.max(1, rowsOnScreen));
    case 'Home':
      return hasControl ? 0 : rowStart;
    case 'End':
      return hasControl ? count - 1 : inGrid(rowStart + columns - 1);
    default:
      return undefined;
  }
}
