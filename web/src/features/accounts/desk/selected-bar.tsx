import type { ReactNode } from 'react';
import { selectionInWords } from '#web/ui/grid/grid-selection.ts';
import { CloseIcon } from '#web/ui/icons.tsx';
import styles from './desk.module.css';
import type { DeskSelection } from './use-desk-selection.ts';

interface SelectedBarProps {
  selected: DeskSelection;
  /** What can be done with all of them. */
  children: ReactNode;
}

/** At the foot while accounts are chosen: how many, and what can be done with them. */
export function SelectedBar({ selected, children }: SelectedBarProps) {
  const { selection, matching, count, clear } = selected;
  if (count.chosen === 0) return null;
  return (
    <div className={styles['bar']} data-foot-bar role="group" aria-label="Selected accounts">
      <p role="status">{selectionInWords(selection, matching, count)}</p>
      {children}
      <button type="button" className={styles['clear']} onClick={clear}>
        <CloseIcon />
        <span className="visually-hidden">Clear selection</span>
      </button>
    </div>
  );
}
