import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { GridColumn } from './grid-column.ts';
import styles from './panels.module.css';

type Field = Pick<GridColumn<unknown>, 'key' | 'label' | 'about'>;

interface ColumnPanelProps {
  fields: readonly Field[];
  /** Keys of those shown, in their order. */
  shown: readonly string[];
  onShow: (shown: string[]) => void;
  onReset: () => void;
  children?: ReactNode;
}

/** Which columns there are, and in what order. */
export function ColumnPanel({ fields, shown, onShow, onReset, children }: ColumnPanelProps) {
  const hidden = fields.filter(({ key }) => !shown.includes(key));
  const fieldOf = (key: string): Field =>
    fields.find((each) => each.key === key) ?? { key, label: key };
  const move = (nth: number, by: -1 | 1): void => {
    const [here, there] = [shown[nth], shown[nth + by]];
    if (here !== undefined && there !== undefined) {
      onShow(shown.with(nth, there).with(nth + by, here));
    }
  };
  return (
    <div className={styles['panel']} role="group" aria-label="Columns">
      <ol className={styles['list']}>
        {shown.map((key, nth) => (
          <li key={key}>
            <label>
              <input
                type="checkbox"
                checked
                disabled={shown.length === 1}
                onChange={() => onShow(shown.filter((each) => each !== key))}
              />
              <Name of={fieldOf(key)} />
            </label>
            <button
              type="button"
              disabled={nth === 0}
              aria-label={`Move ${fieldOf(key).label} left`}
              onClick={() => move(nth, -1)}
            >
              ←
            </button>
            <button
              type="button"
              disabled={nth === shown.length - 1}
              aria-label={`Move ${fieldOf(key).label} right`}
              onClick={() => move(nth, 1)}
            >
              →
            </button>
          </li>
        ))}
        {hidden.map((field) => (
          <li key={field.key}>
            <label>
              <input
                type="checkbox"
                checked={false}
                onChange={() => onShow([...shown, field.key])}
              />
              <Name of={field} />
            </label>
          </li>
        ))}
      </ol>
      <div className={styles['side']}>
        {children}
        <Button variant="default" onClick={onReset}>
          Reset columns
        </Button>
      </div>
    </div>
  );
}

function Name({ of: { label, about } }: { of: Field }) {
  return (
    <span>
      {label}
      {about && <small>{about}</small>}
    </span>
  );
}
