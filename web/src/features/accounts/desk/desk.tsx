import { type ReactNode, useMemo, useState } from 'react';
import type { AccountView } from '#shared/domain/accounts/account-view.ts';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { useMay } from '#web/customer/rights/use-may.ts';
import { useServices } from '#web/platform/services.ts';
import type { AccountFigures } from '#web/replica/queries/account-figures.ts';
import { Grid } from '#web/ui/grid/grid.tsx';
import type { GridColumn } from '#web/ui/grid/grid-column.ts';
import { usualView, type ViewField } from '#web/ui/grid/grid-view.ts';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { type DeskRow, deskColumns, type DeskColumnsOptions } from './desk-columns.tsx';
import { counted, figure } from '#web/ui/words/figures.ts';
import { DeskTools } from './desk-tools.tsx';
import styles from './desk.module.css';
import { type DeskSelection, useDeskSelection } from './use-desk-selection.ts';
import { useDeskTable } from './use-desk-table.ts';
import { useDeskView } from './use-desk-view.ts';
import { ViewBar } from './view-bar.tsx';

interface DeskProps extends Pick<DeskColumnsOptions, 'manage'> {
  accounts: readonly ConnectedAccount[];
  /** By the network’s id; undefined until they are known. */
  figures: ReadonlyMap<string, AccountFigures> | undefined;
  /** Saved views; undefined: none can be saved. */
  saved?: readonly AccountView[];
  fileName: string;
  /** False while accounts or their posts are still read: a file would have a part of them. */
  isWhole: boolean;
  /** Stands beside the filters. */
  tools?: ReactNode;
  note?: ReactNode;
  /** What can be done with accounts, once some are chosen. */
  renderBar: (selected: DeskSelection) => ReactNode;
}

const NO_VIEWS: readonly AccountView[] = [];

/** Where any account belongs to a client. */
const CLIENT: GridColumn<DeskRow> = {
  key: 'client',
  label: 'Client',
  kind: 'choice',
  of: ({ account }) => account,
  text: ({ account }) => account.client?.name ?? '',
  value: ({ account }) => account.client?.name ?? '',
  isUsual: true,
  isSearched: true,
  width: 100,
  grow: 1,
  phone: 'more',
};

const rowIdOf = ({ account }: DeskRow): string => account.igUsername;
const nameOf = ({ account }: DeskRow): string => `@${account.igUsername}`;

/** A table of accounts with what finds, orders and chooses them. */
export function Desk({ accounts, figures, saved, manage, isWhole, ...props }: DeskProps) {
  const { platform } = useServices();
  const timeZone = platform.timeZone();
  const seesMoney = useMay('readMoney');
  const hasClients = accounts.some(({ client }) => client);
  const hasPlanned = accounts.some(({ nextPackageId }) => nextPackageId !== null);
  const columns = useMemo(
    () =>
      deskColumns({ timeZone, seesMoney, hasPlanned, ...(manage && { manage }) }).concat(
        hasClients ? [CLIENT] : [],
      ),
    [timeZone, seesMoney, hasPlanned, manage, hasClients],
  );
  const fields = useMemo(() => viewFields(columns), [columns]);
  const usual = useMemo(() => usualView(fields, [{ key: 'name', isDescending: false }]), [fields]);
  const desk = useDeskView(fields, usual, saved ?? NO_VIEWS);
  const { view } = desk;
  const { table, arranged } = useDeskTable({ accounts, figures, columns, view });
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
      {saved && <ViewBar saved={saved} {...desk} />}
      <DeskTools
        view={view}
        usual={usual}
        columns={columns}
        shown={shown}
        table={table}
        rows={selected.rows}
        chosen={selected.count.chosen}
        isWhole={arranged !== undefined && isWhole}
        openPanel={openPanel}
        onPanel={setOpenPanel}
        onChange={change}
        fileName={props.fileName}
        more={
          <>
            {props.tools}
            <p className={styles['note']}>
              {arranged && foundInWords(arranged.order.length, accounts.length)}
            </p>
          </>
        }
      />
      {desk.unread.length > 0 && (
        <p className={styles['note']} role="status">
          {unreadInWords(desk.unread)}
        </p>
      )}
      {props.note}
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
            sumsLabel={sumsInWords(selected.count.chosen)}
            now={() => platform.now()}
          />
        )
      )}
      {selected.count.chosen > 0 && props.renderBar(selected)}
    </div>
  );
}

/** "800 accounts", "34 of 800 accounts" */
const foundInWords = (found: number, all: number): string =>
  (found === all ? '' : `${figure(found)} of `) + counted(all, 'account');

const sumsInWords = (chosen: number): string =>
  chosen === 0 ? 'Total' : `Total of ${figure(chosen)} selected`;

/** What an address asks for that can’t be: it was changed by hand, or is of a column that isn’t there. */
function unreadInWords(unread: readonly string[]): string {
  const [filter, is] = unread.length === 1 ? ['a filter', 'isn’t'] : ['filters', 'aren’t'];
  return `This address has ${filter} that can’t be read and ${is} applied: ${unread.join(', ')}.`;
}

const viewFields = (columns: ReturnType<typeof deskColumns>): ViewField[] =>
  columns
    .filter(({ isAction }) => !isAction)
    .map(({ key, kind, isUsual }) => ({ key, kind, isUsual }));
