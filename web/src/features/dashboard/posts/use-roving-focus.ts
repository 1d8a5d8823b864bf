import { useCallback, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { gridMove, type GridShape } from './grid-moves.ts';

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
  initialId: string | undefined,
  shape: Omit<GridShape, 'count'>,
  scrollTo: (index: number) => void,
): RovingFocus {
  const [activeId, setActiveId] = useState(initialId);
  const shouldFocus = useRef(false);
  const activeIndex = Math.max(0, activeId === undefined ? 0 : ids.indexOf(activeId));

  useLayoutEffect(() => {
    if (!shouldFocus.current || activeId === undefined) return;
    shouldFocus.current = false;
    document.getElementById(cardId(activeId))?.focus({ preventScroll: true });
  }, [activeId]);

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
      document.getElementById(cardId(id))?.focus({ preventScroll: true });
    } else {
      shouldFocus.current = true;
      setActiveId(id);
    }
    scrollTo(to);
  };

  return { activeIndex, onKeyDown, onCardFocus: useCallback((id) => setActiveId(id), []) };
}

/** The id of the link of a post's card. */
export const cardId = (postId: string): string => `post-${postId}`;
