import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { RowControl } from './column.ts';

/** Up to so many rows Tab simply visits every control. */
const TAB_THROUGH_UP_TO = 12;

interface RowKeysOptions {
  body: RefObject<HTMLElement | null>;
  ids: readonly string[];
  scrollTo: (index: number) => void;
}

/** The props of a control in a row. */
type ControlOf = (index: number, control: string) => RowControl;

/**
 * The arrow keys, Home, End and the page keys move from a row's control to the same control of another
 * row.
 */
export function useRowKeys({ body, ids, scrollTo }: RowKeysOptions): ControlOf {
  const [active, setActive] = useState(0);
  /** The control to focus once its row exists. */
  const wanted = useRef<{ index: number; control: string }>(undefined);

  const focusWanted = (): void => {
    const { index, control } = wanted.current ?? {};
    if (index === undefined) return;
    const row = body.current?.querySelector(`[data-index="${String(index)}"]`);
    const element = row?.querySelector(`[data-control="${control}"]`);
    if (!(element instanceof HTMLElement)) return;
    wanted.current = undefined;
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: 'nearest' });
  };
  // Without dependencies: the row may appear with any later rendering.
  useEffect(focusWanted);

  const press = (event: KeyboardEvent, index: number, control: string): void => {
    const next = rowForKey(event.key, index, ids.length);
    if (next === undefined) return;
    event.preventDefault();
    wanted.current = { index: next, control };
    setActive(next);
    scrollTo(next);
    focusWanted();
  };
  const reachable = Math.min(active, ids.length - 1);
  return (index, control) => ({
    tabIndex: ids.length <= TAB_THROUGH_UP_TO || index === reachable ? 0 : -1,
    'data-control': control,
    onKeyDown: (event) => press(event, index, control),
    onFocus: () => setActive(index),
  });
}

/** Where a key moves the focus among the rows; undefined when it doesn't. */
export function rowForKey(key: string, current: number, count: number): number | undefined {
  const last = count - 1;
  const PAGE = 10;
  switch (key) {
    case 'ArrowDown':
      return Math.min(last, current + 1);
    case 'ArrowUp':
      return Math.max(0, current - 1);
    case 'PageDown':
      return Math.min(last, current + PAGE);
    case 'PageUp':
      return Math.max(0, current - PAGE);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}
