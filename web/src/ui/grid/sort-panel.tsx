import { NativeSelect } from '@mantine/core';
import { CloseIcon } from '../icons.tsx';
import type { SortBy } from './filter.ts';
import styles from './panels.module.css';

interface SortPanelProps {
  fields: ReadonlyArray<{ key: string; label: string }>;
  sorts: readonly SortBy[];
  onSort: (sorts: SortBy[]) => void;
}

/** By which columns rows are sorted, and which way; the first one counts most. */
export function SortPanel({ fields, sorts, onSort }: SortPanelProps) {
  const labelOf = (key: string): string => fields.find((field) => field.key === key)?.label ?? key;
  const free = fields.filter(({ key }) => !sorts.some((sort) => sort.key === key));
  const swap = (nth: number): void => {
    const [before, here] = [sorts[nth - 1], sorts[nth]];
    if (before && here) onSort(sorts.with(nth - 1, here).with(nth, before));
  };
  return (
    <div className={styles['panel']} role="group" aria-label="Sort">
      <ol className={styles['list']}>
        {sorts.map((sort, nth) => (
          <li key={sort.key}>
            <span>{labelOf(sort.key)}</span>
            <button
              type="button"
              aria-label={`${labelOf(sort.key)}: ${sort.isDescending ? 'descending' : 'ascending'}, reverse`}
              onClick={() => onSort(sorts.with(nth, { ...sort, isDescending: !sort.isDescending }))}
            >
              {sort.isDescending ? 'Descending' : 'Ascending'}
            </button>
            <button
              type="button"
              disabled={nth === 0}
              aria-label={`${labelOf(sort.key)}: move up`}
              onClick={() => swap(nth)}
            >
              ↑
            </button>
            <button
              type="button"
              aria-label={`Don’t sort by ${labelOf(sort.key)}`}
              onClick={() => onSort(sorts.filter((each) => each !== sort))}
            >
              <CloseIcon />
            </button>
          </li>
        ))}
      </ol>
      {free.length > 0 && (
        <NativeSelect
          label={sorts.length === 0 ? 'Sort by' : 'Then by'}
          data={[
            { value: '', label: 'Choose a column' },
            ...free.map(({ key, label }) => ({ value: key, label })),
          ]}
          value=""
          onChange={({ currentTarget: { value } }) => {
            if (value !== '') onSort([...sorts, { key: value, isDescending: false }]);
          }}
        />
      )}
    </div>
  );
}
