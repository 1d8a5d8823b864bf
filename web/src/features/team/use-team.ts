import { useCallback, useEffect, useState } from 'react';
import type { Call, CallInput } from '#shared/contract/call.ts';
import { findTeam, type Team } from '#shared/contract/people/team.ts';
import { NO_ANSWER, problemOf, unansweredSentence } from '#web/api/unreachable.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useLocal } from '#web/customer/use-local.ts';
import { useServices } from '#web/platform/services.ts';
import { useNewest } from '#web/platform/use-newest.ts';
import { useOnline } from '#web/platform/use-online.ts';
import { toastSuccess } from '#web/ui/toasts/toast.ts';

/** Where the replica keeps the team as it was answered last, to be read offline. */
const KEY = 'team';
const OFFLINE = 'Your team isn’t on this device yet.';

/** A call that answers with the team as it is then. */
type TeamCall = Call & { data: typeof findTeam.data };

export interface UsedTeam {
  team: Team | undefined;
  /** Why it couldn’t be read. */
  unread: string | undefined;
  /** The call that is on its way. */
  sending: string | undefined;
  problem: string | undefined;
  /** Sends a change; the sentences of refused fields, none when it was done. */
  send: <C extends TeamCall>(
    call: C,
    input: CallInput<C>,
  ) => Promise<Record<string, string> | undefined>;
}

/** The team as the server says, or said when it was there last. */
export function useTeam(): UsedTeam {
  const { api, platform } = useServices();
  const { db, userId } = useCustomer();
  const isOnline = useOnline();
  const newest = useNewest();
  const kept = useLocal(async () => (await db.meta.get(KEY))?.value as Team | undefined, [db]);
  const [unread, setUnread] = useState<string>();
  const [sending, setSending] = useState<string>();
  const [problem, setProblem] = useState<string>();

  /** What was done counts, whether or not the device has room to keep how the team is then. */
  const keep = useCallback(
    async (team: Team): Promise<void> => {
      try {
        await db.meta.put({ key: KEY, value: team });
      } catch (error) {
        platform.report('The team could not be kept', error);
      }
    },
    [db, platform],
  );

  useEffect(() => {
    if (!isOnline) return;
    const read = async (): Promise<void> => {
      const isNewest = newest();
      const answer = await api.call(findTeam, { userId }, { isUnasked: true });
      if (!isNewest()) return;
      if (answer.kind === 'success') await keep(answer.data);
      else setUnread(problemOf(answer));
    };
    void read();
  }, [api, isOnline, keep, newest, userId]);

  const send: UsedTeam['send'] = async (call, input) => {
    setSending(call.path);
    setProblem(undefined);
    const wasOnline = platform.isOnline();
    const isNewest = newest();
    const answer = await api.call(call, input);
    setSending(undefined);
    if (answer.kind === 'success') {
      if (answer.message) toastSuccess(answer.message);
      if (isNewest()) await keep(answer.data);
      return {};
    }
    if (answer.kind === 'error') {
      if (Object.keys(answer.fields).length > 0) return answer.fields;
      setProblem(answer.message);
    } else setProblem(unansweredSentence(answer, { wasOnline, noAnswer: NO_ANSWER }));
    return undefined;
  };
  return { team: kept, unread: isOnline ? unread : OFFLINE, sending, problem, send };
}

/** Whether nothing was refused. */
export const isDone = (fields: Record<string, string> | undefined): boolean =>
  fields !== undefined && Object.keys(fields).length === 0;
