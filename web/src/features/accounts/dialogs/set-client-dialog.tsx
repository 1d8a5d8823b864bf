import { Button, NativeSelect } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { type Client, findClients, setClient } from '#shared/contract/clients.ts';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { DialogFrame } from '#web/customer/dialogs/dialog-frame.tsx';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { useServices } from '#web/platform/services.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { toastSuccess } from '#web/ui/toasts/toast.ts';
import { figure } from '#web/ui/words/figures.ts';

const NO_ANSWER = 'We couldn’t reach the server. Please try again.';

/** Says whose accounts are. */
export function SetClientDialog({ accounts }: { accounts: readonly ConnectedAccount[] }) {
  return (
    <DialogFrame title="Set client">
      <ClientForm accounts={accounts} />
    </DialogFrame>
  );
}

function ClientForm({ accounts }: { accounts: readonly ConnectedAccount[] }) {
  const { api } = useServices();
  const { userId } = useCustomer();
  const dialogs = useDialogs();
  const [clients, setClients] = useState<Client[]>();
  const [clientId, setClientId] = useState(accounts[0]?.client?.id ?? '');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  useEffect(() => {
    const read = async (): Promise<void> => {
      const answer = await api.call(findClients, { userId }, { isUnasked: true });
      if (answer.kind === 'success') setClients(answer.data);
      else setProblem(answer.kind === 'error' ? answer.message : NO_ANSWER);
    };
    void read();
  }, [api, userId]);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setIsBusy(true);
    setProblem(undefined);
    const igUsernames = accounts.map(({ igUsername }) => igUsername);
    const answer = await api.call(setClient, { userId, igUsernames, clientId: clientId || null });
    setIsBusy(false);
    if (answer.kind !== 'success') {
      return setProblem(answer.kind === 'error' ? answer.message : NO_ANSWER);
    }
    toastSuccess(answer.message ?? 'Client set');
    return dialogs.close();
  };

  const [only] = accounts;
  return (
    <form onSubmit={(event) => void submit(event)}>
      <FormProblem sentence={problem} />
      <NativeSelect
        label={
          accounts.length === 1 && only
            ? `Client of @${only.igUsername}`
            : `Client of ${figure(accounts.length)} accounts`
        }
        description="People limited to certain clients see only those clients’ accounts. Add clients on the Team page."
        disabled={!clients}
        data={[
          { value: '', label: 'No client' },
          ...(clients ?? [])
            .filter(({ id, archivedAt }) => archivedAt === null || id === clientId)
            .map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={clientId}
        onChange={(event) => setClientId(event.currentTarget.value)}
      />
      <Button mt="md" type="submit" disabled={!clients} loading={isBusy}>
        Save client
      </Button>
    </form>
  );
}
