import { Button } from '@mantine/core';
import { useState } from 'react';
import { removeAccount } from '#shared/contract/accounts/account-changes.ts';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { NO_ANSWER } from '#web/api/unreachable.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { DialogFrame } from '#web/customer/dialogs/dialog-frame.tsx';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { toastSuccess } from '#web/ui/toasts/toast.ts';
import { useModalAccount } from '#web/customer/use-modal-account.ts';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { useServices } from '#web/platform/services.ts';

/** Asks once before an account leaves the list; adding it again brings everything back. */
export function RemoveAccountDialog() {
  const account = useModalAccount();
  if (!account) return null;
  return (
    <DialogFrame title="Remove account">
      <Confirm account={account} />
    </DialogFrame>
  );
}

function Confirm({ account: { igUsername } }: { account: ConnectedAccount }) {
  const { api, platform } = useServices();
  const { userId, keepAnswer } = useCustomer();
  const dialogs = useDialogs();
  const [problem, setProblem] = useState<string>();
  const [isRemoving, setIsRemoving] = useState(false);

  const remove = async (): Promise<void> => {
    setIsRemoving(true);
    setProblem(undefined);
    const answer = await api.call(removeAccount, { userId, igUsername });
    if (answer.kind === 'success') await keepAnswer(answer.data);
    setIsRemoving(false);
    if (answer.kind === 'success') {
      toastSuccess(`@${igUsername} was removed`);
      return dialogs.close();
    }
    if (answer.kind === 'error') return setProblem(answer.message);
    platform.report('The account was not removed', answer.kind);
    return setProblem(NO_ANSWER);
  };

  return (
    <div className={parts['form']}>
      <p>
        <strong>@{igUsername}</strong> and its posts leave your list and your devices. Your payments
        and credits stay. If you add it again, its posts and settings come back.
      </p>
      <FormProblem sentence={problem} />
      <div className={parts['actions']}>
        <Button variant="default" disabled={isRemoving} onClick={dialogs.close}>
          Keep it
        </Button>
        <Button color="red" loading={isRemoving} onClick={() => void remove()}>
          Remove account
        </Button>
      </div>
    </div>
  );
}
