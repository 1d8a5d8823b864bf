import { useMemo, useState } from 'react';
import type { AccountView } from '#shared/domain/account-view.ts';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { useSyncStatus } from '#web/customer/use-sync-status.ts';
import { useServices } from '#web/platform/services.ts';
import { Grid } from '#web/ui/grid/grid.tsx';
import { usualView, type ViewField } from '#web/ui/grid/grid-view.ts';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { shortDate } from '#web/ui/words/dates.ts';
import { BulkBar } from './bulk-bar.tsx';
import { type DeskRow, deskColumns } from './desk-columns.tsx';
import { DeskTools } from './desk-tools.tsx';
import type { GridColumn } from '#web/ui/grid/grid-column.ts';
import styles from './desk.module.css';
import { useAccountFigures } from './use-account-figures.ts';
import { useDeskSelection } from './use-desk-selection.ts';
import { useDeskTable } from './use-desk-table.ts';
import { useDeskView } from './use-desk-view.ts';
import { useViews } from './use-views.ts';
import { ViewBar } from './view-bar.tsx';

interface AccountsDeskProps {
  accounts: readonly ConnectedAccount[];
}

/** The table of accounts for people who have many. */
export function AccountsDesk({ accounts }: AccountsDeskProps) {
  const saved = useViews();
  // A view that is asked for by its name has to be known first.
  return saved && <Desk accounts={accounts} saved={saved} />;
}

/** Where any account belongs to a client. */
const CLIENT: GridColumn<DeskRow> = {
  key: 'client',
  label: 'Client',
  kind: 'choice',
  text: ({ account }) => account.client?.name ?? '',
  value: ({ account }) => account.client?.name ?? '',
  isUsual: true,
  isSearched: true,
  width: 112,
  grow: 1,
  phone: 'fact',
};

const rowIdOf = ({ account }: DeskRow): string => account.igUsername;
const nameOf = ({ account }: DeskRow): string => `@${account.igUsername}`;

function Desk({ accounts, saved }: AccountsDeskProps & { saved: readonly AccountView[] }) {
  const dialogs = useDialogs();
  const { platform } = useServices();
  const timeZone = platform.timeZone();
  const hasClients = accounts.some(({ client }) => client);
  const columns = useMemo(
    () =>
      deskColumns({
        timeZone,
        manage: (account) => dialogs.open({ kind: 'manage_account', account }),
      }).concat(hasClients ? [CLIENT] : []),
    [timeZone, dialogs, hasClients],
  );
  const fields = useMemo(() => viewFields(columns), [columns]);
  const usual = useMemo(() => usualView(fields, [{ key: 'name', isDescending: false }]), [fields]);
  const desk = useDeskView(fields, usual, saved);
  const { view } = desk;
  const { known, partialSinceMs } = useAccountFigures();
  const status = useSyncStatus();
  const isFirstReading = status.kind === 'syncing' && status.asOf === undefined;
  const { table, arranged } = useDeskTable({ accounts, figures: known, columns, view });
  const selected = useDeskSelection(table, arranged);
  const [openPanel, setOpenPanel] = useState<string>();
  const shown = useMemo(
    () => [
      ...view.columns.flatMap((key) => columns.find((column) => column.key === key) ?? []),
      ...columns.filter(({ isAction }) => isAction),
    ],
    [columns, view.columns],
  );
  const change = (changes: Parameters<typeof desk.change>[0]): void => {
    // What matches is about to be something else: what is chosen stays these rows.
    if (changes.filters || changes.search !== undefined) selected.keepRows();
    desk.change(changes);
  };

  return (
    <div className={styles['desk']} data-desk>
      <ViewBar saved={saved} {...desk} />
      <DeskTools
        view={view}
        usual={usual}
        columns={columns}
        shown={shown}
        table={table}
        rows={selected.rows}
        chosen={selected.count.chosen}
        isWhole={arranged !== undefined && known !== undefined && !isFirstReading}
        openPanel={openPanel}
        onPanel={setOpenPanel}
        onChange={change}
      />
      {partialSinceMs !== undefined && (
        <p className={styles['note']}>
          This device holds posts from {shortDate(partialSinceMs, timeZone)} on. Their figures count
          from then.
        </p>
      )}
      {arranged && arranged.order.length === 0 ? (
        <EmptyState scene="results" title="No matching accounts" isHeading>
          <button
            type="button"
            className={styles['manage']}
            onClick={() => change({ search: '', filters: [] })}
          >
            Show all accounts
          </button>
        </EmptyState>
      ) : (
        arranged && (
          <Grid
            label="Connected accounts"
            columns={shown}
            count={arranged.order.length}
            rowAt={(index) => arranged.rows[arranged.order[index] ?? -1]}
            idOf={rowIdOf}
            nameOf={nameOf}
            sorts={view.sorts}
            onSort={(sorts) => change({ sorts })}
            selection={selected.selection}
            onSelect={selected.select}
            chosen={selected.count.chosen - selected.count.hidden}
            sums={selected.sums(shown)}
            now={() => platform.now()}
          />
        )
      )}
      <BulkBar selected={selected} />
    </div>
  );
}

const viewFields = (columns: ReturnType<typeof deskColumns>): ViewField[] =>
  columns
    .filter(({ isAction }) => !isAction)
    .map(({ key, kind, isUsual }) => ({ key, kind, isUsual }));
