import { Button } from '@mantine/core';
import { EmptyState } from '#web/components/empty-state.tsx';
import { useDialogs } from '#web/platform/dialogs.ts';

/** A customer without any connected account. */
export function NoAccounts() {
  const dialogs = useDialogs();
  return (
    <EmptyState scene="accounts" title="No accounts yet" isHeading>
      <p>Connect a public professional account, and its posts show up here.</p>
      <Button onClick={() => dialogs.open({ kind: 'add_account' })}>Add account</Button>
    </EmptyState>
  );
}
