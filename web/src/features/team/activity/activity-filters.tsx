import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ACTIVITY_KINDS, type ActivityKind } from '#shared/domain/accounts/activity.ts';
import { dayStart, namedDay } from '#shared/domain/money/day-use.ts';
import { parseIgUsername } from '#shared/domain/accounts/ig-username.ts';
import { useMay } from '#web/customer/rights/use-may.ts';
import { useServices } from '#web/platform/services.ts';
import { useOnline } from '#web/platform/use-online.ts';
import { useClients } from '../use-clients.ts';
import { useTeam } from '../use-team.ts';
import styles from './activity.module.css';
import type { Filter } from './use-activity.ts';

const NONE = { memberId: '', kind: '', clientId: '', account: '', fromDay: '', toDay: '' };
const ACCOUNT_RULE = 'Please enter a username: 1 to 30 letters, digits, dots or underscores';

interface ActivityFiltersProps {
  /** They were cleared from elsewhere: what had the focus is gone, and they get it. */
  isReached: boolean;
  onFilter: (filter: Filter) => void;
}

/** By whom, what, to which account or client, and when. */
export function ActivityFilters({ isReached, onFilter }: ActivityFiltersProps) {
  const firstField = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (isReached) firstField.current?.focus();
  }, [isReached]);
  const { platform } = useServices();
  const { team } = useTeam();
  const mayNameClients = useMay('clients');
  const isOnline = useOnline();
  const { clients = [] } = useClients(mayNameClients && isOnline);
  const [wanted, setWanted] = useState(NONE);
  const [error, setError] = useState<string>();
  const set = (changes: Partial<typeof NONE>): void => setWanted({ ...wanted, ...changes });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const isName = wanted.account === '' || parseIgUsername(wanted.account) !== undefined;
    setError(isName ? undefined : ACCOUNT_RULE);
    if (isName) onFilter(filterOf(wanted, platform.timeZone()));
  };
  const clear = (): void => {
    setWanted(NONE);
    setError(undefined);
    onFilter({});
  };
  const people = team?.members ?? [];
  return (
    <form className={styles['filters']} noValidate onSubmit={submit} aria-label="Filter">
      {people.length > 1 && (
        <NativeSelect
          label="Who"
          data={[
            { value: '', label: 'Everyone' },
            ...people.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={wanted.memberId}
          onChange={(event) => set({ memberId: event.currentTarget.value })}
        />
      )}
      <NativeSelect
        ref={firstField}
        label="What"
        data={[{ value: '', label: 'Everything' }, ...ACTIVITY_KINDS]}
        value={wanted.kind}
        onChange={(event) => set({ kind: event.currentTarget.value })}
      />
      {clients.length > 0 && (
        <NativeSelect
          label="Client"
          data={[
            { value: '', label: 'All clients' },
            ...clients.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={wanted.clientId}
          onChange={(event) => set({ clientId: event.currentTarget.value })}
        />
      )}
      <TextInput
        label="Account"
        placeholder="@username"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={wanted.account}
        error={error}
        onChange={(event) => set({ account: event.currentTarget.value })}
      />
      <TextInput
        label="From"
        type="date"
        max={wanted.toDay}
        value={wanted.fromDay}
        onChange={(event) => set({ fromDay: event.currentTarget.value })}
      />
      <TextInput
        label="To"
        type="date"
        min={wanted.fromDay}
        value={wanted.toDay}
        onChange={(event) => set({ toDay: event.currentTarget.value })}
      />
      <div className={styles['buttons']}>
        <Button type="submit">Show</Button>
        <Button variant="default" onClick={clear}>
          Clear
        </Button>
      </div>
    </form>
  );
}

/** Whole days, as they are where the person is. */
function filterOf(
  { memberId, kind, clientId, account, fromDay, toDay }: typeof NONE,
  timeZone: string,
): Filter {
  const startOf = (day: string, later: number): string =>
    new Date(dayStart(namedDay(day) + later, timeZone)).toISOString();
  return {
    ...(memberId !== '' && { memberId }),
    ...(isKind(kind) && { kind }),
    ...(clientId !== '' && { clientId }),
    ...(account !== '' && { igUsername: account }),
    ...(fromDay !== '' && { from: startOf(fromDay, 0) }),
    ...(toDay !== '' && { until: startOf(toDay, 1) }),
  };
}

const isKind = (text: string): text is ActivityKind =>
  (ACTIVITY_KINDS as readonly string[]).includes(text);
