import { useEffect, useState } from 'react';
import type { Call, CallInput } from '#shared/contract/call.ts';
import { type Client, findClients } from '#shared/contract/accounts/clients.ts';
import { NO_ANSWER, problemOf, unansweredSentence } from '#web/api/unreachable.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useServices } from '#web/platform/services.ts';
import { useNewest } from '#web/platform/use-newest.ts';
import { toastSuccess } from '#web/ui/toasts/toast.ts';

/** A call that answers with the clients as they are then. */
type ClientsCall = Call & { data: typeof findClients.data };

export interface UsedClients {
  /** undefined until they are known. */
  clients: Client[] | undefined;
  problem: string | undefined;
  /** The call that is on its way. */
  sending: string | undefined;
  /** Whether it was done; why not stands in `problem`. */
  send: <C extends ClientsCall>(call: C, input: CallInput<C>) => Promise<boolean>;
}

/** The clients as the server says, once for the whole page; asked for only where they may be seen. */
export function useClients(isWanted: boolean): UsedClients {
  const { api, platform } = useServices();
  const { userId } = useCustomer();
  const newest = useNewest();
  const [clients, setClients] = useState<Client[]>();
  const [problem, setProblem] = useState<string>();
  const [sending, setSending] = useState<string>();

  useEffect(() => {
    if (!isWanted) return;
    const read = async (): Promise<void> => {
      const isNewest = newest();
      const answer = await api.call(findClients, { userId }, { isUnasked: true });
      if (!isNewest()) return;
      if (answer.kind === 'success') setClients(answer.data);
      else setProblem(problemOf(answer));
    };
    void read();
  }, [api, isWanted, newest, userId]);

  const send: UsedClients['send'] = async (call, input) => {
    setSending(call.path);
    setProblem(undefined);
    const wasOnline = platform.isOnline();
    const isNewest = newest();
    const answer = await api.call(call, input);
    setSending(undefined);
    if (answer.kind === 'success') {
      if (isNewest()) setClients(answer.data);
      if (answer.message) toastSuccess(answer.message);
      return true;
    }
    setProblem(
      answer.kind === 'error'
        ? answer.message
        : unansweredSentence(answer, { wasOnline, noAnswer: NO_ANSWER }),
    );
    return false;
  };
  return { clients, problem, sending, send };
}
