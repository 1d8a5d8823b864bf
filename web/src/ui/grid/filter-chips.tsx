import { focusBeside } from '../focus-beside.ts';
import { CloseIcon } from '../icons.tsx';
import type { Filter } from './filter.ts';
import { filterInWords } from './filter-words.ts';
import styles from './chips.module.css';

interface FilterChipsProps {
  filters: readonly Filter[];
  labelOf: (key: string) => string;
  /** Opens the panel at its column. */
  onEdit: (key: string) => void;
  onRemove: (key: string) => void;
  onClear: () => void;
}

/** What is filtered by: a press changes it, its cross takes it away. */
export function FilterChips({ filters, labelOf, onEdit, onRemove, onClear }: FilterChipsProps) {
  if (filters.length === 0) return null;
  return (
    <ul className={styles['chips']} aria-label="Filters">
      {filters.map((filter) => {
        const words = filterInWords(filter, labelOf(filter.key));
        return (
          <li key={filter.key} className={styles['chip']}>
            <button type="button" dir="auto" onClick={() => onEdit(filter.key)}>
              {words}
            </button>
            <button
              type="button"
              aria-label={`Remove the filter ${words}`}
              onClick={(event) => {
                focusBeside(event.currentTarget);
                onRemove(filter.key);
              }}
            >
              <CloseIcon />
            </button>
          </li>
        );
      })}
      {filters.length > 1 && (
        <li>
          <button type="button" className={styles['quiet']} onClick={onClear}>
            Remove all filters
          </button>
        </li>
      )}
    </ul>
  );
}
