import { BULK_LIMITS } from '#shared/domain/accounts/bulk.ts';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { useMay } from '#web/customer/rights/use-may.ts';
import { userMayWithAll } from '#web/customer/rights/user-may.ts';
import { useReachable } from '#web/customer/use-reachable.ts';
import { useClientState } from '#web/platform/services.ts';
import { useNamesClients } from '../dialogs/use-client-list.ts';
import { type SelectionAction, AccountSelectionBar } from './selection-bar.tsx';
import type { DeskSelection } from './use-desk-selection.ts';

/** What can be done with the chosen accounts, each for who may do it. It imports nothing of the table, which is there. */
export function BulkBar({ selected }: { selected: DeskSelection }) {
  const dialogs = useDialogs();
  const user = useClientState((state) => state.user);
  const accounts = () => selected.rows().map(({ account }) => account);
  const isReachable = useReachable();
  const mayConnect = useMay('connect');
  const mayTag = useMay('edit');
  const mayTagAll = mayTag && userMayWithAll(user, 'edit', accounts);
  const change = (about?: 'delivery' | 'client' | 'tags'): void =>
    dialogs.open({ kind: 'bulk_change', accounts: accounts(), ...(about && { about }) });
  /** By an operation, as all else, where there can be one: others need no server. */
  const tag = (): void => {
    const { length } = accounts();
    const isOperation = isReachable && mayConnect && length > 1 && length <= BULK_LIMITS.items;
    if (isOperation) change('tags');
    else dialogs.open({ kind: 'tag_accounts', accounts: accounts() });
  };
  const all: ReadonlyArray<SelectionAction & { isTheirs: boolean }> = [
    {
      label: 'Change tags',
      isTheirs: mayTagAll,
      onPress: tag,
    },
    {
      label: 'Delivery settings',
      isTheirs: mayConnect,
      onPress: () => change('delivery'),
    },
    { label: 'Change client', isTheirs: useNamesClients(), onPress: () => change('client') },
    { label: 'Change plans', isTheirs: useMay('spend'), onPress: () => change() },
  ];
  return (
    <AccountSelectionBar selected={selected} actions={all.filter(({ isTheirs }) => isTheirs)}>
      {mayTag && !mayTagAll && <p className="text-1">You can’t change all of these accounts.</p>}
    </AccountSelectionBar>
  );
}
