import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useCustomer } from '#web/customer/customer.ts';
import { useNaming } from '#web/customer/use-naming.ts';
import { useServices } from '#web/platform/services.ts';
import {
  removeSavedFilter,
  saveFilter,
  type SavedFilter,
} from '#web/replica/queries/saved-filters.ts';
import { focusBeside } from '#web/ui/grid/filter-chips.tsx';
import panels from '#web/ui/grid/panels.module.css';
import { CloseIcon } from '#web/ui/icons.tsx';
import { toastError } from '#web/ui/toasts/toast.ts';
import styles from './desk.module.css';
import type { DeskView } from './use-desk-view.ts';

const LIST = 'account-views';

interface ViewBarProps extends Pick<DeskView, 'open' | 'isChanged' | 'address' | 'openView'> {
  saved: readonly SavedFilter[];
}

/** The views that were saved, which one is open, and whether something of it was changed. */
export function ViewBar({ saved, open, isChanged, address, openView }: ViewBarProps) {
  const { db } = useCustomer();
  const { platform } = useServices();
  const [isNaming, setIsNaming] = useState(false);
  if (saved.length === 0 && !isChanged) return null;

  const save = async (name: string): Promise<boolean> => {
    const view = { name, search: address };
    const isSaved = await saveFilter(db, view, LIST);
    if (isSaved) openView(view);
    return isSaved;
  };
  const fail = (sentence: string) => (error: unknown) => {
    platform.report('Views of accounts could not be changed', error);
    toastError(sentence);
  };
  const remove = (view: SavedFilter): void => {
    if (view === open) openView(undefined);
    removeSavedFilter(db, view.name, LIST).catch(
      fail(`“${view.name}” is still there. Please try again.`),
    );
  };
  return (
    <div className={styles['views']}>
      <ul className={panels['chips']} aria-label="Views">
        <li className={panels['chip']} data-picked={!open || undefined}>
          <button type="button" aria-pressed={!open} onClick={() => openView(undefined)}>
            All accounts
          </button>
        </li>
        {saved.map((view) => (
          <li key={view.name} className={panels['chip']} data-picked={view === open || undefined}>
            <button
              type="button"
              dir="auto"
              aria-pressed={view === open}
              onClick={() => openView(view)}
            >
              {view.name}
            </button>
            <button
              type="button"
              aria-label={`Remove the view ${view.name}`}
              onClick={(event) => {
                focusBeside(event.currentTarget);
                remove(view);
              }}
            >
              <CloseIcon />
            </button>
          </li>
        ))}
      </ul>
      {isChanged && !isNaming && (
        <p className={styles['changed']}>
          <span role="status">{open ? 'Unsaved changes' : 'Not saved'}</span>
          {open && (
            <>
              <button
                type="button"
                className={panels['quiet']}
                onClick={() => {
                  save(open.name).catch(fail('This device couldn’t save it.'));
                }}
              >
                Save to “{open.name}”
              </button>
              <button type="button" className={panels['quiet']} onClick={() => openView(open)}>
                Undo changes
              </button>
            </>
          )}
          <button type="button" className={panels['quiet']} onClick={() => setIsNaming(true)}>
            Save as a view
          </button>
        </p>
      )}
      {isNaming && <NameForm onSave={save} onDone={() => setIsNaming(false)} />}
    </div>
  );
}

function NameForm({
  onSave,
  onDone,
}: {
  onSave: (name: string) => Promise<boolean>;
  onDone: () => void;
}) {
  const { submit, field } = useNaming({ one: 'view', many: 'views', onSave, onDone });
  return (
    <form className={styles['name']} onSubmit={submit} noValidate>
      <TextInput
        label="Name of this view"
        ref={(input) => input?.focus()}
        autoComplete="off"
        {...field}
      />
      <Button type="submit">Save</Button>
      <Button variant="subtle" onClick={onDone}>
        Cancel
      </Button>
    </form>
  );
}
