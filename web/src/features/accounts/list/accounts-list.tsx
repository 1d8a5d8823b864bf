import { Button } from '@mantine/core';
import { useMemo } from 'react';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { usePinned } from '#web/customer/keep-offline.tsx';
import { useMay } from '#web/customer/rights/use-may.ts';
import { TableToolbar } from '#web/customer/tables/table-toolbar.tsx';
import { useServices } from '#web/platform/services.ts';
import { DataTable } from '#web/ui/data-table/data-table.tsx';
import { useTableView } from '#web/ui/data-table/use-table-view.ts';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { accountColumns } from './account-columns.tsx';
import { sumSentence } from '../account-status.ts';
import styles from './subscriptions-page.module.css';

const idOf = (account: ConnectedAccount): string => account.igUsername;

/** A few accounts, with a search: who has more, or asks for it, gets the desk. */
export function AccountsList({
  accounts,
  onMore,
}: {
  accounts: readonly ConnectedAccount[];
  onMore: () => void;
}) {
  const dialogs = useDialogs();
  const { platform } = useServices();
  const timeZone = platform.timeZone();
  const kept = usePinned();
  const seesMoney = useMay('readMoney');
  const columns = useMemo(
    () =>
      accountColumns({
        timeZone,
        seesMoney,
        kept,
        manage: (account) => dialogs.open({ kind: 'manage_account', account }),
      }),
    [timeZone, seesMoney, kept, dialogs],
  );
  const view = useTableView(accounts, columns, { key: 'main', isDescending: false });
  return (
    <>
      <TableToolbar
        view={view}
        columns={columns}
        searchLabel="Search accounts"
        csv={{ rows: view.shown, label: 'Download CSV', fileName: 'accounts.csv' }}
      >
        <Button variant="default" onClick={onMore}>
          Tags and filters
        </Button>
      </TableToolbar>
      <p className={styles['sum']} role="status">
        {sumSentence(view.shown, view.search === '' ? 'connected' : 'found', seesMoney)}
      </p>
      {view.shown.length > 0 ? (
        <DataTable
          label="Connected accounts"
          columns={columns}
          rows={view.shown}
          idOf={idOf}
          sort={view.sort}
          onSort={view.setSort}
        />
      ) : (
        <EmptyState scene="results" title="No matching accounts" isHeading>
          <Button variant="default" onClick={() => view.setSearch('')}>
            Show all accounts
          </Button>
        </EmptyState>
      )}
    </>
  );
}
