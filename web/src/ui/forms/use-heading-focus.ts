import { type RefObject, useEffect, useRef } from 'react';

/**
 * Gives the focus to the heading of a list when a row is gone with the button that had it.
 * Nothing scrolls: who pressed with a finger goes on where they were.
 * @param rows how many there are
 */
export function useHeadingFocus(rows: number): {
  ref: RefObject<HTMLHeadingElement | null>;
  tabIndex: -1;
} {
  const ref = useRef<HTMLHeadingElement>(null);
  const before = useRef(rows);
  useEffect(() => {
    const isFewer = rows < before.current;
    before.current = rows;
    if (isFewer && document.activeElement === document.body) {
      ref.current?.focus({ preventScroll: true });
    }
  }, [rows]);
  return { ref, tabIndex: -1 };
}
