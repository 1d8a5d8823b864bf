import { Button, Checkbox, NativeSelect } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type ClientGrant, grantClients, type Member } from '#shared/contract/people/team.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { focusFirst } from '#web/ui/forms/use-swap-focus.ts';
import { ClientSearch, useClientSearch } from './client-search.tsx';
import type { UsedClients } from './use-clients.ts';
import { isDone, type UsedTeam } from './use-team.ts';

const ROLES = ['Viewer', 'Editor', 'Manager'] as const;
const NONE = 'No access';

/** For which clients somebody works. */
export function GrantsForm({
  member,
  used,
  clients: { clients, problem },
  close,
}: {
  member: Member;
  used: UsedTeam;
  clients: UsedClients;
  close: () => void;
}) {
  const { userId } = useCustomer();
  const [allClients, setAllClients] = useState(member.allClients ?? true);
  const [granted, setGranted] = useState(
    new Map((member.grants ?? []).map(({ clientId, role }) => [clientId, role])),
  );
  const search = useClientSearch(
    clients?.filter(({ id, archivedAt }) => archivedAt === null || granted.has(id)) ?? [],
  );
  const choose = (clientId: string, typed: string): void => {
    const role = ROLES.find((one) => one === typed);
    const next = new Map(granted);
    if (role) next.set(clientId, role);
    else next.delete(clientId);
    setGranted(next);
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const grants = Array.from(granted, ([clientId, role]): ClientGrant => ({ clientId, role }));
    const input = { userId, memberId: member.id, allClients, grants };
    if (isDone(await used.send(grantClients, input))) close();
  };
  return (
    <form ref={focusFirst} className="narrow-form" onSubmit={(event) => void submit(event)}>
      <FormProblem sentence={problem} />
      <Checkbox
        label={`All clients, as ${member.role.toLowerCase()}`}
        description="Otherwise they see only the accounts of the clients you choose below, and no payments."
        checked={allClients}
        onChange={(event) => setAllClients(event.currentTarget.checked)}
      />
      {clients?.length === 0 && <p>There are no clients yet. Add one below first.</p>}
      <ClientSearch search={search} />
      {search.found.map(({ id, name }) => (
        <NativeSelect
          key={id}
          label={name}
          data={[NONE, ...ROLES]}
          value={granted.get(id) ?? NONE}
          onChange={(event) => choose(id, event.currentTarget.value)}
        />
      ))}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" disabled={!clients} loading={used.sending === grantClients.path}>
          Save clients
        </Button>
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
