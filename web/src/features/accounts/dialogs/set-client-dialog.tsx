import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { setClient } from '#shared/contract/accounts/clients.ts';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { DialogFrame } from '#web/customer/dialogs/dialog-frame.tsx';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { NO_ANSWER, unansweredSentence } from '#web/api/unreachable.ts';
import { useServices } from '#web/platform/services.ts';
import { useOnline } from '#web/platform/use-online.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { toastSuccess } from '#web/ui/toasts/toast.ts';
import { ClientSelect } from './client-select.tsx';
import { useClientList } from './use-client-list.ts';

/** Says whose an account is. */
export function SetClientDialog({ account }: { account: ConnectedAccount }) {
  return (
    <DialogFrame title="Change client">
      <ClientForm account={account} />
    </DialogFrame>
  );
}

function ClientForm({ account: { igUsername, client } }: { account: ConnectedAccount }) {
  const { api, platform } = useServices();
  const isOnline = useOnline();
  const { userId } = useCustomer();
  const dialogs = useDialogs();
  const { clients, problem: unread } = useClientList();
  const [clientId, setClientId] = useState(client?.id ?? '');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setIsBusy(true);
    setProblem(undefined);
    const wasOnline = platform.isOnline();
    const asked = { userId, igUsernames: [igUsername], clientId: clientId || null };
    const answer = await api.call(setClient, asked);
    setIsBusy(false);
    if (answer.kind !== 'success') {
      return setProblem(
        answer.kind === 'error'
          ? answer.message
          : unansweredSentence(answer, { wasOnline, noAnswer: NO_ANSWER }),
      );
    }
    toastSuccess('Client changed');
    return dialogs.close();
  };

  return (
    <form onSubmit={(event) => void submit(event)}>
      <FormProblem sentence={problem ?? unread} />
      <ClientSelect
        label={`Client of @${igUsername}`}
        clients={clients}
        current={client?.id}
        value={clientId}
        onChange={setClientId}
      />
      <Button mt="md" type="submit" disabled={!clients || !isOnline} loading={isBusy}>
        Save client
      </Button>
    </form>
  );
}
