import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, lazy, Suspense, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import {
  archiveClient,
  type Client,
  mergeClients,
  saveClient,
} from '#shared/contract/accounts/clients.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useMay } from '#web/customer/rights/use-may.ts';
import { useServices } from '#web/platform/services.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { useHeadingFocus } from '#web/ui/forms/use-heading-focus.ts';
import { focusFirst, useSwapFocus } from '#web/ui/forms/use-swap-focus.ts';
import { counted } from '#web/ui/words/figures.ts';
import { ClientSearch, useClientSearch } from './client-search.tsx';
import { RowButton } from './row-button.tsx';
import styles from './team.module.css';
import type { UsedClients } from './use-clients.ts';

const OneBudget = lazy(async () => {
  const { OneBudget: default_ } = await import('#web/payments/budget/one-budget.tsx');
  return { default: default_ };
});

/** Whom the workspace works for. */
export function ClientsSection({ used }: { used: UsedClients }) {
  const { clients, problem } = used;
  const heading = useHeadingFocus(clients?.length ?? 0);
  return (
    <section className={styles['section']} aria-labelledby="clients">
      <h2 id="clients" {...heading}>
        Clients
      </h2>
      <p className="c-soft">
        Accounts can belong to clients, and you can limit people to the clients they work for.
      </p>
      <FormProblem sentence={problem} />
      {clients && clients.length > 0 && <ClientList clients={clients} used={used} />}
      {clients && <NameForm used={used} label="New client" save="Add client" />}
    </section>
  );
}

function ClientList({ clients, used }: { clients: readonly Client[]; used: UsedClients }) {
  const search = useClientSearch(clients);
  return (
    <>
      <ClientSearch search={search} />
      <ul className={styles['people']} aria-label="Clients">
        {search.found.map((client) => (
          <ClientRow key={client.id} client={client} clients={clients} used={used} />
        ))}
      </ul>
    </>
  );
}

function NameForm({
  used,
  client,
  label,
  save,
  close,
}: {
  used: UsedClients;
  client?: Client;
  label: string;
  save: string;
  close?: () => void;
}) {
  const { userId } = useCustomer();
  const [name, setName] = useState(client?.name ?? '');
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (name.trim() === '') return setProblem('Please enter the client’s name');
    const input = { userId, name, ...(client && { clientId: client.id }) };
    if (!(await used.send(saveClient, input))) return undefined;
    if (close) return close();
    // The next one can be typed at once.
    setName('');
    return field.current?.focus({ preventScroll: true });
  };
  return (
    <form
      ref={close && focusFirst}
      className="narrow-form"
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <TextInput
        ref={field}
        label={label}
        name="name"
        autoComplete="off"
        value={name}
        error={problem}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setProblem(undefined);
        }}
      />
      <Buttons save={save} isBusy={used.sending === saveClient.path} close={close} />
    </form>
  );
}

/** What opens below a client's line. */
type ClientStep = 'rename' | 'merge' | 'budget';

function ClientRow({
  client,
  clients,
  used,
}: {
  client: Client;
  clients: readonly Client[];
  used: UsedClients;
}) {
  const { userId } = useCustomer();
  const { paths } = useServices();
  const isLead = useMay('team');
  const [step, setStep] = useState<ClientStep>();
  const backTo = useSwapFocus(step);
  const { id: clientId, name, accounts, archivedAt } = client;
  const close = (): void => setStep(undefined);
  const isArchived = archivedAt !== null;
  const opens = (one: ClientStep) => ({
    of: name,
    ref: backTo(one),
    onPress: () => setStep(one),
  });
  return (
    <li>
      <div className={styles['line']}>
        <div>
          <p className="wrap-anywhere">
            <strong dir="auto">{name}</strong>
          </p>
          <p className="c-soft">
            {counted(accounts, 'account')}
            {isArchived && ', archived'}
          </p>
        </div>
        {step === undefined && (
          <div className="flex flex-wrap items-center gap-2">
            <Link to={`${paths.report}?${new URLSearchParams({ client: clientId })}`}>
              Report<span className="visually-hidden">: {name}</span>
            </Link>
            <RowButton {...opens('rename')} label="Rename" />
            {isLead && <RowButton {...opens('budget')} label="Budget" />}
            {isLead && clients.length > 1 && <RowButton {...opens('merge')} label="Merge" />}
            <RowButton
              label={isArchived ? 'Bring back' : 'Archive'}
              of={name}
              onPress={() =>
                void used.send(archiveClient, { userId, clientId, isArchived: !isArchived })
              }
            />
          </div>
        )}
      </div>
      {step === 'rename' && (
        <NameForm {...{ used, client, close }} label={`Name of ${name}`} save="Save name" />
      )}
      {step === 'merge' && <Merge {...{ used, client, clients, close }} />}
      {step === 'budget' && (
        <div ref={focusFirst} className="narrow-form">
          <Suspense fallback={<p aria-live="polite">Loading the budget…</p>}>
            <OneBudget clientId={clientId} />
          </Suspense>
          <div>
            <Button variant="default" onClick={close}>
              Close
            </Button>
          </div>
        </div>
      )}
    </li>
  );
}

function Merge({
  client,
  clients,
  used,
  close,
}: {
  client: Client;
  clients: readonly Client[];
  used: UsedClients;
  close: () => void;
}) {
  const { userId } = useCustomer();
  const others = clients.filter(({ id }) => id !== client.id);
  const [intoId, setIntoId] = useState(others[0]?.id ?? '');
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    await used.send(mergeClients, { userId, clientId: client.id, intoId });
  };
  return (
    <form ref={focusFirst} className="narrow-form" onSubmit={(event) => void submit(event)}>
      <NativeSelect
        label={`Merge ${client.name} with`}
        description="Its accounts and people move to that client, and its budget is deleted. Anyone who works for both keeps the higher role."
        data={others.map(({ id, name }) => ({ value: id, label: name }))}
        value={intoId}
        onChange={(event) => setIntoId(event.currentTarget.value)}
      />
      <Buttons save="Merge now" isBusy={used.sending === mergeClients.path} close={close} />
    </form>
  );
}

function Buttons({
  save,
  isBusy,
  close,
}: {
  save: string;
  isBusy: boolean;
  close: (() => void) | undefined;
}) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button type="submit" loading={isBusy}>
        {save}
      </Button>
      {close && (
        <Button variant="default" disabled={isBusy} onClick={close}>
          Cancel
        </Button>
      )}
    </div>
  );
}
