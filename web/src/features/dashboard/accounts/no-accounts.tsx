import { Button } from '@mantine/core';
import { useDialogs } from '#web/platform/dialogs.ts';

/** A customer without any connected account. */
export function NoAccounts() {
  const dialogs = useDialogs();
  return (
    <section aria-labelledby="no-accounts">
      <h2 id="no-accounts">No account connected</h2>
      <p>Connect a public professional account, and its posts appear here.</p>
      <Button mt="md" onClick={() => dialogs.open({ kind: 'add_account' })}>
        Add account
      </Button>
    </section>
  );
}
