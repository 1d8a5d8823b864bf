import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CloseIcon } from '#web/ui/icons.tsx';
import styles from './selection-bar.module.css';
import type { DeskSelection } from './use-desk-selection.ts';

/** Something that can be done with what is chosen. */
export interface SelectionAction {
  label: string;
  onPress: () => void;
}

interface AccountSelectionBarProps {
  selected: DeskSelection;
  /** The first one is what most people come for. */
  actions: readonly SelectionAction[];
  /** Why something can’t be done. */
  children?: ReactNode;
}

/** At the foot while accounts are chosen: how many, and what can be done with all of them. A phone has it as a menu. */
export function AccountSelectionBar({ selected, actions, children }: AccountSelectionBarProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className={styles['bar']} data-foot-bar role="group" aria-label="Selected accounts">
      <p role="status">{selected.words}</p>
      {children}
      {actions.length > 0 && (
        <Button
          className={styles['menu'] ?? ''}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          Change
        </Button>
      )}
      <div className={styles['actions']} data-open={isOpen || undefined}>
        {actions.map(({ label, onPress }, nth) => (
          <Button
            key={label}
            variant={nth === 0 ? 'filled' : 'default'}
            onClick={() => {
              setIsOpen(false);
              onPress();
            }}
          >
            {label}
          </Button>
        ))}
      </div>
      <button type="button" className={styles['clear']} onClick={selected.clear}>
        <CloseIcon />
        <span className="visually-hidden">Clear selection</span>
      </button>
    </div>
  );
}
