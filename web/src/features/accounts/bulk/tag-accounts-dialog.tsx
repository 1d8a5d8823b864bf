import { Activity, useState } from 'react';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import type { TagChange } from '#shared/domain/accounts/account-tags.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { DialogFrame } from '#web/customer/dialogs/dialog-frame.tsx';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { useClientState } from '#web/platform/services.ts';
import { toastError, toastSuccess } from '#web/ui/toasts/toast.ts';
import { TagDiff } from './tag-diff.tsx';
import { TagForm } from '../dialogs/tag-form.tsx';

/** Gives accounts tags and takes tags from them, also without a network. */
export function TagAccountsDialog({ accounts }: { accounts: readonly ConnectedAccount[] }) {
  const { changes } = useCustomer();
  const dialogs = useDialogs();
  const all = useClientState((state) => state.connectedAccounts);
  const [change, setChange] = useState<TagChange>();
  const save = async (names: readonly string[], wanted: TagChange): Promise<void> => {
    const outcome = await changes.tagAccounts(names, wanted);
    if (outcome.kind === 'refused') return toastError(outcome.message);
    toastSuccess(
      outcome.kind === 'queued'
        ? 'Tags changed on this device. We’ll send them when you’re back online.'
        : 'Tags changed',
    );
    return dialogs.close();
  };
  const [first] = accounts;
  return (
    <DialogFrame title="Change tags" size={change ? '40rem' : '30rem'}>
      {/* Kept while its change is shown: “Back” finds the tags chosen. */}
      <Activity mode={change ? 'hidden' : 'visible'}>
        <TagForm
          accounts={accounts}
          all={all}
          onChosen={(wanted) =>
            first && accounts.length === 1 ? save([first.igUsername], wanted) : setChange(wanted)
          }
        />
      </Activity>
      {change && (
        <TagDiff
          accounts={accounts}
          change={change}
          onSave={(names) => save(names, change)}
          onBack={() => setChange(undefined)}
        />
      )}
    </DialogFrame>
  );
}
