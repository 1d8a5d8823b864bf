import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { Shell } from '../ipc.ts';
import styles from './find-bar.module.css';
import { findText, markText } from './find-text.ts';

export interface FindBarProps {
  /** What is searched. */
  root: Element;
  /** Calls back when the person wants to search; returns how to stop. */
  onWanted: (open: () => void) => () => void;
  mark: typeof markText;
}

/** Finds a text in the page, as browsers do; beside the UI, which knows nothing of it. */
export function mountFindBar(root: Element, shell: Pick<Shell, 'on'>): void {
  const place = document.body.appendChild(document.createElement('div'));
  createRoot(place).render(
    <FindBar root={root} onWanted={(open) => shell.on('find', open)} mark={markText} />,
  );
}

export function FindBar({ root, onWanted, mark }: FindBarProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [wanted, setWanted] = useState('');
  const [at, setAt] = useState(0);
  const [count, setCount] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  useEffect(
    () =>
      onWanted(() => {
        setIsOpen(true);
        field.current?.select();
      }),
    [onWanted],
  );
  useEffect(() => {
    if (isOpen) field.current?.select();
  }, [isOpen]);

  /** The page may have changed since the last time: it is searched anew for each step. */
  const go = (text: string, next: number): void => {
    const found = findText(root, text);
    const present = found.length === 0 ? 0 : (next + found.length) % found.length;
    setCount(found.length);
    setAt(present);
    mark(found, found[present]);
    found[present]?.startContainer.parentElement?.scrollIntoView({ block: 'center' });
  };
  const close = (): void => {
    setIsOpen(false);
    mark([], undefined);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
    if (event.key === 'Enter') go(wanted, at + (event.shiftKey ? -1 : 1));
  };

  if (!isOpen) return null;
  return (
    <search className={styles['bar']}>
      <input
        ref={field}
        aria-label="Find in page"
        value={wanted}
        onChange={({ target }) => {
          setWanted(target.value);
          go(target.value, 0);
        }}
        onKeyDown={onKey}
      />
      <output>{wanted === '' ? '' : `${count === 0 ? 0 : at + 1} of ${count}`}</output>
      <button type="button" aria-label="Previous" onClick={() => go(wanted, at - 1)}>
        ↑
      </button>
      <button type="button" aria-label="Next" onClick={() => go(wanted, at + 1)}>
        ↓
      </button>
      <button type="button" aria-label="Close" onClick={close}>
        ×
      </button>
    </search>
  );
}
