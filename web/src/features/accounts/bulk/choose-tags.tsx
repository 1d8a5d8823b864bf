import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { useClientState } from '#web/platform/services.ts';
import { TagForm } from '../dialogs/tag-form.tsx';
import type { WantedChange } from './use-bulk.ts';

/** Which tags all of the chosen accounts are given, and which are taken from them. */
export function ChooseTags({
  accounts,
  onChosen,
}: {
  accounts: readonly ConnectedAccount[];
  onChosen: (changes: readonly WantedChange[]) => void;
}) {
  const all = useClientState((state) => state.connectedAccounts);
  return (
    <TagForm
      accounts={accounts}
      all={all}
      onChosen={({ add, remove }) => {
        const change = { kind: 'tags' as const, add: [...add], remove: [...remove] };
        onChosen(accounts.map(({ igUsername }) => ({ igUsername, change })));
      }}
    />
  );
}
