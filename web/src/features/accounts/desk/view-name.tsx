import { Button, Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type AccountView, VIEW_NAME_LENGTH } from '#shared/domain/accounts/account-view.ts';
import { useNaming } from '#web/customer/use-naming.ts';
import { focusFirst } from '#web/ui/forms/use-swap-focus.ts';

type NamedView = Pick<AccountView, 'name' | 'isShared'>;

interface ViewNameProps {
  /** Left out: a new one. */
  view?: AccountView;
  canShare: boolean;
  /** Why it couldn’t be saved, as a sentence. */
  onSave: (named: NamedView) => Promise<string | undefined>;
  onDone: () => void;
}

/** Gives a view its name, and says who sees it. */
export function ViewName({ view, canShare, onSave, onDone }: ViewNameProps) {
  const [isShared, setIsShared] = useState(view?.isShared ?? false);
  const { submit, field } = useNaming({
    one: 'view',
    limit: VIEW_NAME_LENGTH,
    start: view?.name ?? '',
    onSave: (name) => onSave({ name, isShared }),
    onDone,
  });
  return (
    <form
      ref={focusFirst}
      className="no-print flex flex-wrap items-end gap-3"
      onSubmit={submit}
      noValidate
    >
      <TextInput label="Name of this view" autoComplete="off" {...field} />
      {canShare && (
        <Checkbox
          label="Share with the workspace"
          description="Everyone who works for all clients sees it."
          checked={isShared}
          onChange={(event) => setIsShared(event.currentTarget.checked)}
        />
      )}
      <Button type="submit">Save</Button>
      <Button variant="subtle" onClick={onDone}>
        Cancel
      </Button>
    </form>
  );
}
