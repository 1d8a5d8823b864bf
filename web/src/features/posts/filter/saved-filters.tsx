import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useCustomer } from '#web/customer/customer.ts';
import { focusBeside } from '#web/ui/focus-beside.ts';
import { focusFirst, useSwapFocus } from '#web/ui/forms/use-swap-focus.ts';
import { CloseIcon } from '#web/ui/icons.tsx';
import { toastError } from '#web/ui/toasts/toast.ts';
import { useLocal } from '#web/customer/use-local.ts';
import { useNaming } from '#web/customer/use-naming.ts';
import {
  FILTER_NAME_LIMIT,
  listSavedFilters,
  removeSavedFilter,
  SAVED_FILTER_LIMIT,
  saveFilter,
} from '#web/replica/queries/saved-filters.ts';
import { useServices } from '#web/platform/services.ts';
import { filterOf, searchOfFilter } from '../address/dashboard-address.ts';
import { filterInWords } from './filter-words.ts';
import { NO_FILTER, type PostFilter } from '../reading/post-filter.ts';
import styles from './saved-filters.module.css';

interface SavedFiltersProps {
  filter: PostFilter;
  onFilter: (filter: PostFilter) => void;
}

/** The filters that were named: a press picks one, and picked again it lets all posts through. */
export function SavedFilters({ filter, onFilter }: SavedFiltersProps) {
  const { db } = useCustomer();
  const { platform } = useServices();
  const saved = useLocal(() => listSavedFilters(db), [db]);
  const current = searchOfFilter(filter);
  if (!saved || saved.length === 0) return null;

  const remove = (name: string, button: HTMLElement): void => {
    focusBeside(button);
    removeSavedFilter(db, name).catch((error: unknown) => {
      platform.report('A saved filter could not be removed', error);
      toastError(`“${name}” is still there. Please try again.`);
    });
  };
  return (
    <ul className={styles['saved']} aria-label="Saved filters">
      {saved.map(({ name, search }) => (
        <li key={name} className={styles['chip']} data-picked={search === current || undefined}>
          <button
            type="button"
            dir="auto"
            aria-pressed={search === current}
            onClick={() => onFilter(search === current ? NO_FILTER : filterOf(search))}
          >
            {name}
          </button>
          <button
            type="button"
            aria-label={`Remove the filter ${name}`}
            onClick={({ currentTarget }) => remove(name, currentTarget)}
          >
            <CloseIcon />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Gives the filter a name, under which it can be picked again. */
export function SaveFilter({ filter }: Pick<SavedFiltersProps, 'filter'>) {
  const [isNaming, setIsNaming] = useState(false);
  const backTo = useSwapFocus(isNaming);
  const search = searchOfFilter(filter);
  if (!isNaming || search === '') {
    return (
      <Button
        ref={backTo(true)}
        variant="default"
        disabled={search === ''}
        onClick={() => setIsNaming(true)}
      >
        Save for later
      </Button>
    );
  }
  return <NameForm key={search} filter={filter} onDone={() => setIsNaming(false)} />;
}

function NameForm({ filter, onDone }: { filter: PostFilter; onDone: () => void }) {
  const { db } = useCustomer();
  const { submit, field } = useNaming({
    one: 'filter',
    limit: FILTER_NAME_LIMIT,
    start: () => filterInWords(filter).slice(0, FILTER_NAME_LIMIT),
    onSave: async (name) =>
      (await saveFilter(db, { name, search: searchOfFilter(filter) }))
        ? undefined
        : `You have ${SAVED_FILTER_LIMIT} saved filters. Remove one first.`,
    onDone,
  });
  return (
    <form ref={focusFirst} className={styles['form']} onSubmit={submit} noValidate>
      <TextInput label="Name of this filter" autoComplete="off" {...field} />
      <Button type="submit">Save</Button>
      <Button variant="subtle" onClick={onDone}>
        Cancel
      </Button>
    </form>
  );
}
