import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';

interface Dropdown {
  isOpen: boolean;
  toggle: () => void;
  /** Closes it and gives the focus back to its button. */
  close: () => void;
  /** Around the button and what it opens. */
  root: RefObject<HTMLDivElement | null>;
  button: RefObject<HTMLButtonElement | null>;
  /** Escape closes it; belongs to `root`. */
  onKeyDown: (event: KeyboardEvent) => void;
}

/** Something a button opens below itself: closed by Escape, by a press elsewhere, or when the focus leaves. */
export function useDropdown(): Dropdown {
  const [isOpen, setIsOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!isOpen) return undefined;
    const closeElsewhere = (event: Event): void => {
      const isInside = event.target instanceof Node && root.current?.contains(event.target);
      if (!isInside) setIsOpen(false);
    };
    document.addEventListener('pointerdown', closeElsewhere);
    document.addEventListener('focusin', closeElsewhere);
    return () => {
      document.removeEventListener('pointerdown', closeElsewhere);
      document.removeEventListener('focusin', closeElsewhere);
    };
  }, [isOpen]);

  const close = useCallback(() => {
    button.current?.focus();
    setIsOpen(false);
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.stopPropagation();
    close();
  };
  return { isOpen, toggle: () => setIsOpen((wasOpen) => !wasOpen), close, root, button, onKeyDown };
}
