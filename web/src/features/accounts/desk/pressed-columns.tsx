import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { KeepOffline } from '#web/customer/keep-offline.tsx';
import { userMayWith } from '#web/customer/rights/user-may.ts';
import { useClientState } from '#web/platform/services.ts';
import type { RowControl } from '#web/ui/data-table/column.ts';
import type { GridColumn } from '#web/ui/grid/grid-column.ts';
import type { DeskRow } from './desk-columns.tsx';
import styles from './desk.module.css';

/** A press inside a row, which keys reach by Enter. */
const IN_ROW: RowControl = {
  tabIndex: -1,
  'data-control': 'desk',
  onKeyDown: () => undefined,
  onFocus: () => undefined,
};

/** What can be pressed in a row. */
export function pressedColumns(manage: (account: ConnectedAccount) => void): GridColumn<DeskRow>[] {
  return [
    {
      key: 'offline',
      label: 'Kept offline',
      kind: 'choice',
      text: ({ isKept }) => (isKept ? 'Kept' : ''),
      csv: null,
      render: ({ account, isKept }) => (
        <KeepOffline account={account} isKept={isKept} control={IN_ROW} />
      ),
      isUsual: false,
      width: 96,
    },
    {
      key: 'action',
      label: 'Manage',
      kind: 'text',
      text: () => '',
      csv: null,
      isAction: true,
      isUsual: true,
      width: 104,
      grow: 0,
      phone: 'end',
      render: ({ account }) => <ManageButton account={account} manage={manage} />,
    },
  ];
}

/** Nothing for who may only look at the account. */
function ManageButton({
  account,
  manage,
}: {
  account: ConnectedAccount;
  manage: (account: ConnectedAccount) => void;
}) {
  const mayEdit = useClientState(({ user }) => userMayWith(user, 'edit', account));
  if (!mayEdit) return null;
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles['manage']}
      aria-label={`Manage @${account.igUsername}`}
      onClick={() => manage(account)}
    >
      Manage
    </button>
  );
}
