import { Button, NativeSelect } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { TAGGED_AT_ONCE } from '#shared/domain/account-tags.ts';
import { type Client, findClients, setClient } from '#shared/contract/clients.ts';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { DialogFrame } from '#web/customer/dialogs/dialog-frame.tsx';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { NO_ANSWER, problemOf, unansweredSentence } from '#web/api/unreachable.ts';
import { useServices } from '#web/platform/services.ts';
import { useNewest } from '#web/platform/use-newest.ts';
import { useOnline } from '#web/platform/use-online.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { toastSuccess } from '#web/ui/toasts/toast.ts';
import { figure } from '#web/ui/words/figures.ts';

/** Says whose accounts are. */
export function SetClientDialog({ accounts }: { accounts: readonly ConnectedAccount[] }) {
  return (
    <DialogFrame title="Set client">
      <ClientForm accounts={accounts} />
    </DialogFrame>
  );
}

function ClientForm({ accounts }: { accounts: readonly ConnectedAccount[] }) {
  const { api, platform } = useServices();
  const isOnline = useOnline();
  const { userId } = useCustomer();
  const dialogs = useDialogs();
  const newest = useNewest();
  const [clients, setClients] = useState<Client[]>();
  const [clientId, setClientId] = useState(accounts[0]?.client?.id ?? '');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  useEffect(() => {
    const read = async (): Promise<void> => {
      const isNewest = newest();
      const answer = await api.call(findClients, { userId }, { isUnasked: true });
      if (!isNewest()) return;
      if (answer.kind === 'success') setClients(answer.data);
      else setProblem(problemOf(answer));
    };
    if (isOnline) void read();
  }, [api, userId, isOnline, newest]);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setIsBusy(true);
    setProblem(undefined);
    const wasOnline = platform.isOnline();
    const names = accounts.map(({ igUsername }) => igUsername);
    // So many at once; what was set before one of these failed stays, and can be set again.
    for (let from = 0; from < names.length; from += TAGGED_AT_ONCE) {
      const igUsernames = names.slice(from, from + TAGGED_AT_ONCE);
      const answer = await api.call(setClient, { userId, igUsernames, clientId: clientId || null });
      if (answer.kind !== 'success') {
        setIsBusy(false);
        const why =
          answer.kind === 'error'
            ? answer.message
            : unansweredSentence(answer, { wasOnline, noAnswer: NO_ANSWER });
        return setProblem(
          from === 0 ? why : `${figure(from)} of ${figure(names.length)} accounts are set. ${why}`,
        );
      }
    }
    toastSuccess('Client set');
    return dialogs.close();
  };

  const [only] = accounts;
  return (
    <form onSubmit={(event) => void submit(event)}>
      <FormProblem sentence={problem} />
      {!isOnline && (
        <p className="notice" data-tone="wait" role="status">
          You’re offline. A client decides who sees an account, so it can only be set once you’re
          connected.
        </p>
      )}
      <NativeSelect
        label={
          accounts.length === 1 && only
            ? `Client of @${only.igUsername}`
            : `Client of ${figure(accounts.length)} accounts`
        }
        description="People limited to certain clients see only those clients’ accounts. Add clients on the Team page."
        disabled={!clients || !isOnline}
        data={[
          { value: '', label: 'No client' },
          ...(clients ?? [])
            .filter(({ id, archivedAt }) => archivedAt === null || id === clientId)
            .map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={clientId}
        onChange={(event) => setClientId(event.currentTarget.value)}
      />
      <Button mt="md" type="submit" disabled={!clients || !isOnline} loading={isBusy}>
        Save client
      </Button>
    </form>
  );
}
