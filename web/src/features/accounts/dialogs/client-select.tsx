import { NativeSelect } from '@mantine/core';
import type { Client } from '#shared/contract/accounts/clients.ts';
import { useOnline } from '#web/platform/use-online.ts';

interface ClientSelectProps {
  /** Whose client it is. */
  label: string;
  /** Undefined until they are read. */
  clients: readonly Client[] | undefined;
  /** The client the account is with; it stays in the list when it is archived. */
  current?: string | undefined;
  value: string;
  onChange: (clientId: string) => void;
  hasFocus?: boolean;
}

/** Says whose accounts are; only while connected, because a client decides who sees them. */
export function ClientSelect(props: ClientSelectProps) {
  const { label, clients, current, value, onChange, hasFocus = false } = props;
  const isOnline = useOnline();
  return (
    <>
      {!isOnline && (
        <p className="notice" data-tone="wait" role="status">
          You’re offline. A client decides who sees an account, so it can only be set once you’re
          connected.
        </p>
      )}
      <NativeSelect
        label={label}
        description="People limited to certain clients see only those clients’ accounts. Add clients on the Team page."
        disabled={!clients || !isOnline}
        data={clientChoices(clients, current)}
        value={value}
        data-autofocus={hasFocus || undefined}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </>
  );
}

/** Those to choose from: archived ones are left out, but for the one an account is with. */
const clientChoices = (
  clients: readonly Client[] = [],
  current = '',
): Array<{ value: string; label: string }> => [
  { value: '', label: 'No client' },
  ...clients
    .filter(({ id, archivedAt }) => archivedAt === null || id === current)
    .map(({ id, name }) => ({ value: id, label: name })),
];
