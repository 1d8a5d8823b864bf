import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { addAccount, type lookUpAccount } from '#shared/contract/accounts/account-changes.ts';
import type { CallData } from '#shared/contract/call.ts';
import { useCustomer } from '#web/customer/customer.ts';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { hideToasts } from '#web/ui/toasts/toast.ts';
import { useServices } from '#web/platform/services.ts';
import { useNewest } from '#web/platform/use-newest.ts';

/** The server may have heard. */
const ADDED_ONCE =
  'We couldn’t reach the server. It’s safe to try again: nothing will be connected twice.';

/** What a look-up showed; only "Add account" connects it (D6). */
export function ShownAccount({
  shown,
  hasCard,
  onAdded,
  onBack,
}: {
  shown: CallData<typeof lookUpAccount>;
  /** A card is saved, so that the payment is the next page. */
  hasCard: boolean;
  onAdded: (igUsername: string) => void;
  onBack: () => void;
}) {
  const { api, platform } = useServices();
  const { userId, refresh } = useCustomer();
  const newest = useNewest();
  const [problem, setProblem] = useState<string>();
  const [isAdding, setIsAdding] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  const add = async (): Promise<void> => {
    const isNewest = newest();
    hideToasts();
    setIsAdding(true);
    setProblem(undefined);
    const answer = await api.call(addAccount, { userId, igUsername: shown.igUsername });
    if (answer.kind === 'success') await refresh();
    setIsAdding(false);
    // Who closed the dialog stays where they are.
    if (!isNewest()) return undefined;
    if (answer.kind === 'success') return onAdded(answer.data.igUsername);
    if (answer.kind === 'error') return setProblem(answer.message);
    platform.report('The account was not added', answer.kind);
    return setProblem(ADDED_ONCE);
  };

  return (
    <div className={parts['form']}>
      <h3 ref={heading} tabIndex={-1}>
        @{shown.igUsername}
      </h3>
      <p className={parts['note']}>{shown.followers.toLocaleString('en-US')} followers</p>
      {shown.standing === 'proof_needed' && (
        <p>
          This account can get a plan once you’ve proved that it’s yours. You can add it now and
          prove it before you pay.
        </p>
      )}
      {hasCard && (
        <p>Next, choose its plan and pay with your saved card. Nothing is charged before then.</p>
      )}
      <FormProblem sentence={problem} />
      <div className={parts['actions']}>
        <Button loading={isAdding} onClick={() => void add()}>
          Add this account
        </Button>
        <Button variant="default" disabled={isAdding} onClick={onBack}>
          Look up another
        </Button>
      </div>
    </div>
  );
}
