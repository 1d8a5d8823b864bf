import { useLayoutEffect, useState, type RefObject } from 'react';

/** What the style sheet makes of the room there is. */
export interface GridColumns {
  columns: number;
  /** Width of a card, px. */
  cardWidthPx: number;
}

/**
 * How many columns a CSS grid with `auto-fill` lays out, measured before anything is painted;
 * undefined until then. A grid that isn't displayed keeps what was measured last.
 */
export function useColumns(grid: RefObject<HTMLElement | null>): GridColumns | undefined {
  const [measured, setMeasured] = useState<GridColumns>();
  useLayoutEffect(() => {
    const element = grid.current;
    if (!element) return undefined;
    const measure = (): void => {
      if (element.clientWidth === 0) return;
      const widths = getComputedStyle(element).gridTemplateColumns.split(' ');
      const next = { columns: widths.length, cardWidthPx: Number.parseFloat(widths[0] ?? '') || 0 };
      setMeasured((before) =>
        before?.columns === next.columns && before.cardWidthPx === next.cardWidthPx ? before : next,
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [grid]);
  return measured;
}
