import { Button, NativeSelect } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { formatCents } from '#shared/domain/money.ts';
import { DataTable } from '#web/components/data-table/data-table.tsx';
import { NOTHING_SELECTED, type Selection } from '#web/components/data-table/selection.ts';
import { TableToolbar } from '#web/components/data-table/table-toolbar.tsx';
import { useTableView } from '#web/components/data-table/use-table-view.ts';
import { EmptyState } from '#web/components/empty-state.tsx';
import { usePinned } from '#web/components/keep-offline.tsx';
import { useDialogs } from '#web/platform/dialogs.ts';
import { useServices } from '#web/platform/services.ts';
import { accountColumns } from './account-columns.tsx';
import { fitsState, isStateFilter, runningPlan, STATE_FILTERS } from './account-standing.ts';
import type { StateFilter } from './account-standing.ts';
import styles from './subscriptions-page.module.css';

const idOf = (account: ConnectedAccount): string => account.igUsername;

export function AccountsTable({ accounts }: { accounts: readonly ConnectedAccount[] }) {
  const dialogs = useDialogs();
  const { platform } = useServices();
  const timeZone = platform.timeZone();
  const [state, setState] = useState<StateFilter>('All');
  const [selected, setSelected] = useState<Selection>(NOTHING_SELECTED);
  const kept = usePinned();
  const columns = useMemo(
    () =>
      accountColumns(timeZone, kept, (account) =>
        dialogs.open({ kind: 'manage_account', account }),
      ),
    [timeZone, kept, dialogs],
  );
  const ofState = useMemo(
    () => accounts.filter((account) => fitsState(account, state)),
    [accounts, state],
  );
  const view = useTableView(ofState, columns, { key: 'main', isDescending: false });
  const chosen = view.shown.filter((account) => selected.has(account.igUsername));
  const rows = chosen.length > 0 ? chosen : view.shown;
  const isFiltered = view.search !== '' || state !== 'All';
  const showAll = (): void => {
    view.setSearch('');
    setState('All');
  };

  return (
    <>
      <TableToolbar
        view={view}
        columns={columns}
        searchLabel="Search accounts"
        csv={{ rows, label: csvLabel(chosen.length), fileName: 'accounts.csv' }}
      >
        <NativeSelect
          label="Status"
          data={[...STATE_FILTERS]}
          value={state}
          onChange={(event) => {
            const { value } = event.currentTarget;
            if (isStateFilter(value)) setState(value);
          }}
        />
      </TableToolbar>
      <p className={styles['sum']} role="status">
        {sumSentence(rows, chosen.length > 0 ? 'selected' : isFiltered ? 'found' : 'connected')}
      </p>
      {view.shown.length > 0 ? (
        <DataTable
          label="Connected accounts"
          columns={columns}
          rows={view.shown}
          idOf={idOf}
          nameOf={(account) => `@${account.igUsername}`}
          sort={view.sort}
          onSort={view.setSort}
          selection={{ selected, change: setSelected }}
        />
      ) : (
        <EmptyState scene="results" title="No matching accounts" isHeading>
          <Button variant="default" onClick={showAll}>
            Show all accounts
          </Button>
        </EmptyState>
      )}
    </>
  );
}

function csvLabel(chosen: number): string {
  return chosen === 0 ? 'Download CSV' : `Download CSV of ${chosen.toLocaleString('en-US')}`;
}

/** How many accounts, and what their plans cost together in a month. */
function sumSentence(accounts: readonly ConnectedAccount[], which: string): string {
  const plans = accounts.map(runningPlan).filter((plan) => plan !== undefined);
  const cents = plans.reduce((sum, plan) => sum + plan.priceCents, 0);
  const count = (many: number, word: string): string =>
    `${many.toLocaleString('en-US')} ${word}${many === 1 ? '' : 's'}`;
  return `${count(accounts.length, 'account')} ${which}, ${count(plans.length, 'plan')}, ${formatCents(cents)} per month`;
}
