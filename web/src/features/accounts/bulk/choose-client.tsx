import { Button, NativeSelect } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { useOnline } from '#web/platform/use-online.ts';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { counted } from '#web/ui/words/figures.ts';
import { clientChoices, useClientList } from '../dialogs/use-client-list.ts';
import type { WantedChange } from './use-bulk.ts';

/** To whom all of the chosen accounts are to go. */
export function ChooseClient({
  accounts,
  onChosen,
}: {
  accounts: readonly ConnectedAccount[];
  onChosen: (changes: readonly WantedChange[]) => void;
}) {
  const isOnline = useOnline();
  const { clients, problem } = useClientList();
  const [clientId, setClientId] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const change = { kind: 'client', clientId: clientId || null } as const;
    onChosen(accounts.map(({ igUsername }) => ({ igUsername, change })));
  };
  return (
    <form className={parts['form']} onSubmit={submit} aria-label="Client">
      <FormProblem sentence={problem} />
      {!isOnline && (
        <p className="notice" data-tone="wait" role="status">
          You’re offline. A client decides who sees an account, so it can only be set once you’re
          connected.
        </p>
      )}
      <NativeSelect
        label={`Client of ${counted(accounts.length, 'account')}`}
        description="People limited to certain clients see only those clients’ accounts. Add clients on the Team page."
        disabled={!clients || !isOnline}
        data={clientChoices(clients)}
        value={clientId}
        data-autofocus
        onChange={(event) => setClientId(event.currentTarget.value)}
      />
      <div className={parts['actions']}>
        <Button type="submit" disabled={!clients || !isOnline}>
          Check the changes
        </Button>
      </div>
    </form>
  );
}
