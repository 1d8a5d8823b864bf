import { Button } from '@mantine/core';
import { useState } from 'react';
import { removeAccount } from '#shared/contract/account-changes.ts';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { useCustomer } from '#web/components/customer.ts';
import { DialogFrame } from '#web/components/dialog-frame.tsx';
import parts from '#web/components/dialog-parts.module.css';
import { FormProblem } from '#web/components/form-problem.tsx';
import { toastSuccess } from '#web/components/toast.ts';
import { useModalAccount } from '#web/components/use-modal-account.ts';
import { stateWithUser } from '#web/platform/client-state.ts';
import { useDialogs } from '#web/platform/dialogs.ts';
import { useServices } from '#web/platform/services.ts';

const NO_ANSWER = 'We couldn’t reach the server. Please try again.';

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
  const { api, platform, state } = useServices();
  const { userId, sync } = useCustomer();
  const dialogs = useDialogs();
  const [problem, setProblem] = useState<string>();
  const [isRemoving, setIsRemoving] = useState(false);

  const remove = async (): Promise<void> => {
    setIsRemoving(true);
    setProblem(undefined);
    const answer = await api.call(removeAccount, { userId, igUsername });
    setIsRemoving(false);
    if (answer.kind === 'success') {
      state.setState(stateWithUser(state.getState(), answer.data));
      sync.wake();
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
