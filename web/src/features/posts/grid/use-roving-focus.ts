import { useCallback, useLayoutEffect, useState, type KeyboardEvent } from 'react';
import type { GridFocus } from './grid-focus.ts';
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
