import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Client } from '#shared/contract/accounts/clients.ts';

/** So many are found by a look. */
const FEW = 12;

/** Of many clients those whose names have what is typed. */
export function useClientSearch(clients: readonly Client[]) {
  const [typed, setTyped] = useState('');
  const isOffered = clients.length > FEW;
  const wanted = isOffered ? typed.trim().toLocaleLowerCase() : '';
  const found = clients.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
  return { typed, setTyped, isOffered, found };
}

export function ClientSearch({
  search: { typed, setTyped, isOffered, found },
}: {
  search: ReturnType<typeof useClientSearch>;
}) {
  if (!isOffered) return null;
  return (
    <>
      <TextInput
        type="search"
        label="Search clients"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <p className="c-soft" role="status">
        {found.length === 0 && 'No matching clients'}
      </p>
    </>
  );
}
