import { useEffect, useState } from 'react';
import { type Client, findClients } from '#shared/contract/accounts/clients.ts';
import { problemOf } from '#web/api/unreachable.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import { useMay } from '#web/customer/rights/use-may.ts';
import { isTeam } from '#web/customer/rights/user-may.ts';
import { useNewest } from '#web/platform/use-newest.ts';
import { useOnline } from '#web/platform/use-online.ts';

/** The clients that accounts can be given to, asked for once the device is connected. */
export function useClientList(isWanted = true): {
  clients: readonly Client[] | undefined;
  problem: string | undefined;
} {
  const { api } = useServices();
  const { userId } = useCustomer();
  const isOnline = useOnline();
  const newest = useNewest();
  const [clients, setClients] = useState<readonly Client[]>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const read = async (): Promise<void> => {
      const isNewest = newest();
      const answer = await api.call(findClients, { userId }, { isUnasked: true });
      if (!isNewest()) return;
      if (answer.kind === 'success') setClients(answer.data);
      else setProblem(problemOf(answer));
    };
    if (isWanted && isOnline) void read();
  }, [api, userId, isWanted, isOnline, newest]);
  return { clients, problem };
}

/**
 * Whether somebody may say whose accounts are, where there is anybody it could be: in a team, or with a client. A
 * customer alone hears nothing of clients.
 */
export function useNamesClients(): boolean {
  const mayName = useMay('clients');
  const isKnown = useClientState(
    ({ user, connectedAccounts }) => isTeam(user) || connectedAccounts.some(({ client }) => client),
  );
  const { clients = [] } = useClientList(mayName && !isKnown);
  return mayName && (isKnown || clients.some(({ archivedAt }) => archivedAt === null));
}
