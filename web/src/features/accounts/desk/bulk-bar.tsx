import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { useMay } from '#web/customer/rights/use-may.ts';
import { userMayWithAll } from '#web/customer/rights/user-may.ts';
import { useClientState } from '#web/platform/services.ts';
import { useNamesClients } from '../dialogs/use-client-list.ts';
import { type SelectionAction, SelectionBar } from './selection-bar.tsx';
import type { DeskSelection } from './use-desk-selection.ts';

/** What can be done with the chosen accounts, each for who may do it. It imports nothing of the table, which is there. */
export function BulkBar({ selected }: { selected: DeskSelection }) {
  const dialogs = useDialogs();
  const user = useClientState((state) => state.user);
  const accounts = () => selected.rows().map(({ account }) => account);
  const mayTag = useMay('edit');
  const mayTagAll = mayTag && userMayWithAll(user, 'edit', accounts);
  const change = (about?: 'delivery' | 'client'): void =>
    dialogs.open({ kind: 'bulk_change', accounts: accounts(), ...(about && { about }) });
  const all: ReadonlyArray<SelectionAction & { isTheirs: boolean }> = [
    {
      label: 'Change tags',
      isTheirs: mayTagAll,
      onPress: () => dialogs.open({ kind: 'tag_accounts', accounts: accounts() }),
    },
    {
      label: 'Delivery settings',
      isTheirs: useMay('connect'),
      onPress: () => change('delivery'),
    },
    { label: 'Change client', isTheirs: useNamesClients(), onPress: () => change('client') },
    { label: 'Change plans', isTheirs: useMay('spend'), onPress: () => change() },
  ];
  return (
    <SelectionBar selected={selected} actions={all.filter(({ isTheirs }) => isTheirs)}>
      {mayTag && !mayTagAll && <p className="text-1">You can’t change all of these accounts.</p>}
    </SelectionBar>
  );
}
