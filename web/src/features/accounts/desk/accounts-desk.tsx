import { Button } from '@mantine/core';
import { lazy, Suspense, useCallback } from 'react';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import type { AccountView } from '#shared/domain/accounts/account-view.ts';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { OnlyFor } from '#web/customer/rights/only-for.tsx';
import { useSyncStatus } from '#web/customer/use-sync-status.ts';
import { useServices } from '#web/platform/services.ts';
import { shortDate } from '#web/ui/words/dates.ts';
import styles from './desk.module.css';
import { Desk } from './desk.tsx';
import { useAccountFigures } from './use-account-figures.ts';
import { useViews } from './use-views.ts';

/** Comes when accounts are chosen. */
const BulkBar = lazy(async () => ({ default: (await import('./bulk-bar.tsx')).BulkBar }));

interface AccountsDeskProps {
  accounts: readonly ConnectedAccount[];
}

/** The table of accounts for people who have many. */
export function AccountsDesk({ accounts }: AccountsDeskProps) {
  const saved = useViews();
  // A view that is asked for by its name has to be known first.
  return saved && <OwnDesk accounts={accounts} saved={saved} />;
}

function OwnDesk({ accounts, saved }: AccountsDeskProps & { saved: readonly AccountView[] }) {
  const dialogs = useDialogs();
  const { platform } = useServices();
  const { known, partialSinceMs } = useAccountFigures();
  const status = useSyncStatus();
  const isFirstReading = status.kind === 'syncing' && status.asOf === undefined;
  const manage = useCallback(
    (account: ConnectedAccount) => dialogs.open({ kind: 'manage_account', account }),
    [dialogs],
  );
  return (
    <Desk
      accounts={accounts}
      figures={known?.of}
      saved={saved}
      fileName="accounts.csv"
      isWhole={known !== undefined && !isFirstReading}
      manage={manage}
      tools={<FileTools />}
      note={
        partialSinceMs !== undefined && (
          <p className={styles['note']}>
            This device holds posts from {shortDate(partialSinceMs, platform.timeZone())} on. Their
            figures count from then.
          </p>
        )
      }
      renderBar={(selected) => (
        <Suspense>
          <BulkBar selected={selected} />
        </Suspense>
      )}
    />
  );
}

/** What changes accounts, and what has changed them. */
function FileTools() {
  const dialogs = useDialogs();
  return (
    <OnlyFor action="connect">
      <Button variant="default" onClick={() => dialogs.open({ kind: 'upload_accounts' })}>
        Upload CSV
      </Button>
      <Button variant="default" onClick={() => dialogs.open({ kind: 'bulk_change', accounts: [] })}>
        Recent changes
      </Button>
    </OnlyFor>
  );
}
