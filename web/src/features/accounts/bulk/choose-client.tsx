import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { useOnline } from '#web/platform/use-online.ts';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { counted } from '#web/ui/words/figures.ts';
import { ClientSelect } from '../dialogs/client-select.tsx';
import { useClientList } from '../dialogs/use-client-list.ts';
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
      <ClientSelect
        label={`Client of ${counted(accounts.length, 'account')}`}
        clients={clients}
        value={clientId}
        onChange={setClientId}
        hasFocus
      />
      <div className={parts['actions']}>
        <Button type="submit" disabled={!clients || !isOnline}>
          Check the changes
        </Button>
      </div>
    </form>
  );
}
