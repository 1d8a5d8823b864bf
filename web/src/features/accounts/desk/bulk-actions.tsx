import { Button } from '@mantine/core';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { OnlyFor } from '#web/customer/rights/only-for.tsx';
import { userMayWithAll } from '#web/customer/rights/user-may.ts';
import { useClientState } from '#web/platform/services.ts';
import { useNamesClients } from '../dialogs/use-client-list.ts';

interface BulkActionsProps {
  /** Those that are chosen. */
  accounts: () => readonly ConnectedAccount[];
}

/** What can be done with many accounts at once. It is loaded once some are chosen, so it imports nothing of the table. */
export function BulkActions({ accounts }: BulkActionsProps) {
  const dialogs = useDialogs();
  const namesClients = useNamesClients();
  const user = useClientState((state) => state.user);
  return (
    <>
      <OnlyFor action="edit">
        {userMayWithAll(user, 'edit', accounts) ? (
          <Button onClick={() => dialogs.open({ kind: 'tag_accounts', accounts: accounts() })}>
            Change tags
          </Button>
        ) : (
          <p className="text-1">You can’t change all of these accounts.</p>
        )}
      </OnlyFor>
      <OnlyFor action="connect">
        <Button
          variant="default"
          onClick={() =>
            dialogs.open({ kind: 'bulk_change', accounts: accounts(), about: 'delivery' })
          }
        >
          Delivery settings
        </Button>
      </OnlyFor>
      {namesClients && (
        <Button
          variant="default"
          onClick={() =>
            dialogs.open({ kind: 'bulk_change', accounts: accounts(), about: 'client' })
          }
        >
          Change client
        </Button>
      )}
      <OnlyFor action="spend">
        <Button
          variant="default"
          onClick={() => dialogs.open({ kind: 'bulk_change', accounts: accounts() })}
        >
          Change plans
        </Button>
      </OnlyFor>
    </>
  );
}
