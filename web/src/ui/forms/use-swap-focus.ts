import { useEffect, useRef } from 'react';

/**
 * The `ref` of what opens in place of a button: its first field has the focus, and it is in view.
 * Without a field it has the focus itself: a key that is still down must not answer its question.
 */
export function focusFirst(part: HTMLElement | null): void {
  if (!part) return;
  const field = part.querySelector<HTMLElement>('input, select, textarea');
  if (!field) part.tabIndex = -1;
  (field ?? part).focus();
  if (field instanceof HTMLInputElement) field.select();
  // Of a form higher than the page the beginning stands below the bar that stays.
  part.style.scrollMarginTop = 'var(--ov-stuck)';
  part.scrollIntoView({ block: 'nearest' });
}

/**
 * Gives the focus back to the button that opened something in its own place, once that is closed.
 * `open` says what is open, if anything; each button has the `ref` of what it opens.
 */
export function useSwapFocus<Step extends string | boolean>(open: Step | undefined) {
  const last = useRef(open);
  useEffect(() => {
    last.current = open;
  }, [open]);
  return (step: Step) =>
    (button: HTMLElement | null): void => {
      const isClosed = (open ?? false) === false && last.current === step;
      // What closed it may have led elsewhere.
      if (isClosed && document.activeElement === document.body) button?.focus();
    };
}
