import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useMemo, useState } from 'react';

/** Up to so many rows all of them exist, so that searching in the page and printing find them. */
const ALL_UP_TO = 200;
const OVERSCAN = 12;
const ROW_HEIGHT_PX = 52;

interface VirtualRows {
  /** The rows that exist, in order. */
  indexes: number[];
  /** The room of the rows before and after them, in pixels. */
  before: number;
  after: number;
  measure: (element: HTMLDivElement | null) => void;
  scrollTo: (index: number) => void;
}

/** Which rows are near enough to the screen to exist. The page scrolls, not the table. */
export function useVirtualRows(
  body: RefObject<HTMLElement | null>,
  ids: readonly string[],
): VirtualRows {
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    const top = body.current?.getBoundingClientRect().top ?? 0;
    setScrollMargin(Math.round(top + window.scrollY));
  }, [body, ids.length]);

  // oxlint-disable-next-line react/incompatible-library -- nothing here is compiled or memoized by its functions
  const virtualizer = useWindowVirtualizer<HTMLDivElement>({
    count: ids.length,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: ids.length <= ALL_UP_TO ? ids.length : OVERSCAN,
    scrollMargin,
    // Room for the page's header and the table's head, which stay at the top.
    scrollPaddingStart: 128,
    getItemKey: (index) => ids[index] ?? index,
  });
  const items = virtualizer.getVirtualItems();
  const [first, last] = [items[0], items.at(-1)];
  const controls = useMemo(
    () => ({
      measure: (element: HTMLDivElement | null) => virtualizer.measureElement(element),
      scrollTo: (index: number) => virtualizer.scrollToIndex(index, { align: 'auto' }),
    }),
    [virtualizer],
  );
  return {
    ...controls,
    indexes: items.map((item) => item.index),
    before: first ? first.start - scrollMargin : 0,
    after: last ? virtualizer.getTotalSize() - (last.end - scrollMargin) : 0,
  };
}
